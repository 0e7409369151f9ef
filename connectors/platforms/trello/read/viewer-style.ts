/** The style of the offline page; follows the system's light or dark mode. */
export const VIEWER_STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--panel:#ebecf0;--card:#fff;--text:#172b4d;--soft:#5e6c84;--line:#dfe1e6;--link:#0c66e4;--focus:#388bff}
@media (prefers-color-scheme:dark){:root{--page:#1d2125;--panel:#161a1d;--card:#22272b;--text:#c7d1db;--soft:#8c9bab;--line:#38414a;--link:#579dff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;display:flex;flex-direction:column;height:100vh}
header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:12px 16px;border-bottom:1px solid var(--line)}
h1{font-size:18px;margin:0;flex:1 1 200px;overflow-wrap:anywhere}
h2,h3{margin:0;font-size:14px}
input[type=search]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:6px 10px;width:260px;max-width:100%}
label{display:flex;gap:6px;align-items:center;color:var(--soft)}
.about{padding:8px 16px 0;margin:0;color:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere;max-height:6em;overflow:auto}
main{display:flex;gap:12px;align-items:flex-start;overflow:auto;flex:1;padding:16px}
.list{background:var(--panel);border-radius:10px;padding:10px;flex:0 0 272px;max-height:100%;display:flex;flex-direction:column}
.list h2{padding:2px 6px 8px;overflow-wrap:anywhere}
.list ul{list-style:none;margin:0;padding:0;overflow:auto;display:flex;flex-direction:column;gap:8px}
.count{color:var(--soft);font-weight:400}
button{font:inherit;color:inherit;cursor:pointer}
.card{display:block;width:100%;text-align:left;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 10px;overflow-wrap:anywhere}
.card:hover{border-color:var(--soft)}
:focus-visible{outline:2px solid var(--focus);outline-offset:1px}
.stripe{height:8px;border-radius:4px;margin:-2px 0 6px}
.facts{display:flex;flex-wrap:wrap;gap:4px 10px;color:var(--soft);font-size:12px;margin-top:4px}
.chips{display:flex;flex-wrap:wrap;gap:4px;margin-bottom:4px}
.chip{border-radius:4px;padding:1px 8px;font-size:12px;background:var(--line);color:var(--text);border-left:10px solid var(--soft);min-height:18px}
.archived{opacity:.7}
.tag{font-size:11px;border:1px solid var(--line);border-radius:4px;padding:0 5px;color:var(--soft)}
dialog{background:var(--card);color:inherit;border:1px solid var(--line);border-radius:12px;padding:20px 24px;width:min(720px,calc(100vw - 32px));max-height:calc(100vh - 48px)}
dialog::backdrop{background:rgba(9,30,66,.55)}
dialog header{border:0;padding:0 0 12px;align-items:flex-start}
dialog section{margin-top:16px}
dialog h3{margin-bottom:4px}
.close{background:none;border:1px solid var(--line);border-radius:6px;padding:4px 10px}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
.items{list-style:none;margin:0;padding:0}
.items li{padding:2px 0;overflow-wrap:anywhere}
.comment{border-top:1px solid var(--line);padding:8px 0}
.soft{color:var(--soft)}
a{color:var(--link);overflow-wrap:anywhere}
.empty{color:var(--soft);padding:4px 6px}
@media (max-width:500px){main{flex-direction:column;align-items:stretch}.list{flex:none;max-height:none}body{height:auto}}
@media print{body{height:auto}main{flex-wrap:wrap;overflow:visible}.list,.list ul{max-height:none;overflow:visible}input,.close{display:none}}
.c-green{border-left-color:#4bce97;--c:#4bce97}.c-yellow{border-left-color:#e2b203;--c:#e2b203}.c-orange{border-left-color:#fea362;--c:#fea362}.c-red{border-left-color:#f87168;--c:#f87168}.c-purple{border-left-color:#9f8fef;--c:#9f8fef}.c-blue{border-left-color:#579dff;--c:#579dff}.c-sky{border-left-color:#6cc3e0;--c:#6cc3e0}.c-lime{border-left-color:#94c748;--c:#94c748}.c-pink{border-left-color:#e774bb;--c:#e774bb}.c-black{border-left-color:#8590a2;--c:#8590a2}
.stripe{background:var(--c,var(--soft))}
`;
