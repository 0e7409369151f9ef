/** Styles of the offline page: the product's type and rules, light or dark as the system prefers. */
export const VIEWER_STYLE = `
:root{color-scheme:light dark;--page:#fdfdfc;--sunk:#f9f9f8;--panel:#f1f0ef;--ink:#21201c;--soft:#63635e;--rule:#dad9d6;--line:#21201c;--field:#8d8d86;--face:#e9e8e6;--accent:#8c6c5e;--ring:#8c6c5e;--link:#7d5e54;--ok:#09775d;--focus:#8da4ef;--sans:"IBM Plex Sans",system-ui,-apple-system,"Segoe UI",sans-serif;--mono:"IBM Plex Mono",ui-monospace,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{--page:#111110;--sunk:#191918;--panel:#222221;--ink:#eeeeec;--soft:#b5b3ad;--rule:#31312e;--line:#6f6d66;--field:#6f6d66;--face:#2a2a28;--accent:#836356;--ring:#d4b3a5;--link:#d4b3a5;--ok:#1fd8a4}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--page);color:var(--ink);font:14px/20px var(--sans)}
h1,h2,h3,h4,p,dl,dd,ul,ol,pre,blockquote{margin:0}
.viewer{max-width:1440px;margin:0 auto;padding:0 40px 40px}
.cover{display:grid;grid-template-columns:minmax(0,1fr) 320px;gap:40px;padding:40px 0 24px;align-items:end}
.brand{display:flex;align-items:center;gap:10px;font:600 16px/20px var(--sans);margin-bottom:24px}
.brand__mark{width:22px;height:18px}
.brand__bars{fill:var(--ink)}
.brand__ring{fill:none;stroke:var(--ring);stroke-width:2}
.cover>*{min-width:0}
.cover h1{font:500 40px/44px var(--sans);overflow-wrap:anywhere;text-wrap:balance}
.cover h1 small{display:block;font:400 18px/26px var(--sans);color:var(--soft)}
.what{display:flex;flex-wrap:wrap;gap:4px 16px;margin-top:14px;overflow-wrap:anywhere}
.source{display:inline-flex;gap:8px;align-items:center}
.logo{flex:none;width:16px;height:16px;fill:currentColor}
.verified{display:inline-flex;align-items:center;gap:6px}
.verified .icon{color:var(--ok)}
.icon{flex:none;width:16px;height:16px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.sr{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.cover dl{display:grid;grid-template-columns:88px 1fr;gap:4px 12px;font:12px/16px var(--sans);border-top:1px solid var(--line);padding-top:12px}
.cover dt,.soft{color:var(--soft)}
.cover dd{overflow-wrap:anywhere}
summary{cursor:pointer}
.cover summary{list-style:none;text-decoration:underline dotted;text-underline-offset:3px}
.cover summary::-webkit-details-marker{display:none}
.left-out li{display:grid;padding:6px 0;border-top:1px solid var(--rule)}
.left-out{margin-top:6px}
.mono,time{font:12px/16px var(--mono)}
button{font:inherit;color:inherit;cursor:pointer;background:none;border:0;padding:0;text-align:left}
:focus-visible{outline:2px solid var(--focus);outline-offset:1px}
a,.link{color:var(--link);text-decoration:underline;text-underline-offset:3px;overflow-wrap:anywhere}
.tools{display:flex;flex-wrap:wrap;align-items:flex-end;gap:0 24px;border-bottom:1px solid var(--rule)}
.tabs{display:flex;gap:0 24px;overflow-x:auto;scrollbar-width:none;margin-bottom:-1px;min-width:0}
.tab{flex:none;height:40px;white-space:nowrap;font-weight:500;color:var(--soft);border-bottom:2px solid transparent;padding-top:2px}
.tab:focus-visible{outline-offset:-2px}
.tab .count{font:12px/16px var(--mono);margin-left:2px;white-space:pre}
.tab:hover{color:var(--ink)}
.tab[aria-current=true]{color:var(--ink);border-bottom-color:var(--accent)}
.search{position:relative;width:260px;max-width:100%;margin:0 0 8px auto;color:var(--soft)}
.search .icon{position:absolute;left:10px;top:8px;pointer-events:none}
.search input{font:inherit;width:100%;height:32px;color:var(--ink);background:var(--page);border:1px solid var(--field);border-radius:3px;padding:0 10px 0 34px}
.search input::placeholder{color:var(--soft);opacity:1}
.archived:not([hidden])+.search{margin-left:0}
.status{min-height:20px;padding:6px 0;font-size:12px}
.archived{height:40px;margin-left:auto;display:flex;gap:6px;align-items:center;color:var(--soft)}
main{padding-bottom:24px;min-height:200px}
.board{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(208px,360px);overflow-x:auto;scrollbar-width:thin;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.board__col{padding:0 12px 16px;border-left:1px solid var(--rule);min-width:0}
.board__col:first-child{border-left:0;padding-left:0}
.board__col:last-child{padding-right:0}
.board__head{display:flex;justify-content:space-between;align-items:center;gap:8px;font:500 14px/20px var(--sans);min-height:40px;padding:10px 0;overflow-wrap:anywhere}
.board__head b{font:12px/16px var(--mono);color:var(--soft)}
.board .more{display:block;width:100%;margin:0;padding:10px 0 0;border:0;border-top:1px solid var(--rule);border-radius:0;font:12px/16px var(--sans);color:var(--soft)}
.board .more:hover{color:var(--ink)}
.plain{list-style:none;padding:0}
.card{display:grid;gap:6px;width:100%;padding:10px 0;border-top:1px solid var(--rule)}
.card:hover .card__title,.row:hover .row__title{text-decoration:underline;text-underline-offset:3px}
.card:focus-visible{outline-offset:-2px}
.card__title{font-weight:500;overflow-wrap:anywhere;text-wrap:pretty}
.card__foot{display:flex;flex-wrap:wrap;gap:4px 8px;align-items:center;font:12px/20px var(--sans);color:var(--soft);overflow-wrap:anywhere}
.sign{display:inline-flex;align-items:center;gap:6px;position:relative;font:12px/16px var(--mono);white-space:nowrap}
.sign .icon{width:14px;height:14px}
.is-archived{opacity:.75}
.faces{display:inline-flex;gap:2px;position:relative;margin-left:auto}
.face{display:inline-grid;place-items:center;min-width:20px;height:20px;border-radius:10px;background:var(--face);color:var(--ink);font:600 10px/20px var(--sans)}
.tags{overflow-wrap:anywhere;display:flex;flex-wrap:wrap;gap:2px 10px;font:12px/16px var(--sans)}
.tag::before{content:"";display:inline-block;width:10px;height:10px;margin-right:6px;border-radius:2px;background:var(--hue,var(--soft))}
.hue-green{--hue:#2a9d6f}.hue-yellow{--hue:#d9b21b}.hue-orange{--hue:#e0813a}.hue-red{--hue:#d43740}.hue-purple{--hue:#8e5bc4}.hue-blue{--hue:#3e63dd}.hue-sky{--hue:#2fa3bd}.hue-lime{--hue:#86ab2c}.hue-pink{--hue:#cf5aa6}.hue-gray{--hue:#8d8d86}
.more{margin-top:10px;padding:4px 10px;border:1px solid var(--rule);border-radius:3px}
.about{margin-bottom:16px;color:var(--soft)}
.about[open]{color:inherit}
.rows{list-style:none;padding:0;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.rows>li+li{border-top:1px solid var(--rule)}
.row{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;width:100%;padding:10px 0}
.row__title{font-weight:500;overflow-wrap:anywhere}
.rows .row__title{flex:1 1 200px}
.rows .row .soft{font-size:12px}
.rows .row .mono{color:var(--soft);min-width:36px}
.gallery{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:12px}
.gallery .row{display:grid;padding:12px;border:1px solid var(--rule);border-radius:3px;height:100%;align-content:start}
.pages{display:grid;grid-template-columns:264px minmax(0,1fr);gap:40px;align-items:start}
.tree{border-top:1px solid var(--line);border-bottom:1px solid var(--line);padding:6px 0}
.tree .plain .plain{padding-left:18px}
.tree .row{display:inline-flex;flex-wrap:nowrap;width:auto;padding:4px 6px;gap:8px}
.tree .row__title{font-weight:400}
.tree [aria-current=true]{background:var(--panel);box-shadow:inset 2px 0 0 var(--accent)}
.tree__node>.row{margin-left:20px}
.tree__line{display:flex;align-items:baseline}
.tree__fold{flex:none;width:20px;padding:4px 0;color:var(--soft)}
.opened>h2{font:600 24px/30px var(--sans);overflow-wrap:anywhere;margin-bottom:6px}
.opened>h2 .mono{font-size:18px;color:var(--soft)}
.back{display:inline-block;margin-bottom:12px;font-size:12px}
.read{display:grid;grid-template-columns:minmax(0,1fr) 288px;gap:24px 40px;align-items:start;margin-top:12px}
.read.is-plain{grid-template-columns:minmax(0,1fr)}
.read__main{display:grid;gap:16px;min-width:0}
.read__main h3{font:600 16px/24px var(--sans);margin-bottom:6px}
.facts-rail{border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.facts-rail>section{padding:10px 0 12px;overflow-wrap:anywhere}
.facts-rail>section+section{border-top:1px solid var(--rule)}
.facts-rail h3{font:500 12px/16px var(--sans);color:var(--soft);margin:0 0 4px}
.thread{border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.post{display:grid;grid-template-columns:32px minmax(0,1fr);gap:0 12px;padding:14px 0}
.post>div{min-width:0;overflow-wrap:anywhere}
.post>.face{width:32px;height:32px;border-radius:16px;font-size:12px}
.thread>*+*{border-top:1px solid var(--rule)}
.event+.event{border-top:0}
.post__who{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline;font:12px/20px var(--sans);color:var(--soft)}
.post__who b{font:500 14px/20px var(--sans);color:var(--ink)}
.post__who time,.event time{margin-left:auto;color:var(--soft)}
.event{display:flex;gap:8px;padding:6px 0 6px 44px;font:12px/16px var(--sans);color:var(--soft);overflow-wrap:anywhere}
.event b{font-weight:500;color:var(--ink)}
.chips{display:flex;flex-wrap:wrap;gap:4px 8px;margin:8px 0}
.chip{padding:3px 10px;border-radius:12px;border:1px solid var(--rule);font:12px/16px var(--sans);color:var(--soft)}
.chip[aria-pressed=true]{border-color:var(--ink);color:var(--ink)}
.prose{display:grid;gap:8px;max-width:74ch;overflow-wrap:anywhere}
.prose>*{min-width:0}
.prose p{white-space:pre-line}
.prose :is(ul,ol){padding-left:20px}
.prose .task{list-style:none;margin-left:-20px}
.prose code{font:12px/16px var(--mono);background:var(--panel);padding:1px 4px;border-radius:2px}
.prose pre{font:12px/18px var(--mono);background:var(--sunk);border:1px solid var(--rule);border-radius:3px;padding:10px 12px;overflow-x:auto}
.prose pre code{background:none;padding:0}
.prose blockquote{padding-left:12px;border-left:2px solid var(--rule);color:var(--soft)}
.prose hr{width:100%;border:0;border-top:1px solid var(--rule)}
.picture,.absent,.note{border:1px dashed var(--soft);border-radius:3px;padding:1px 6px;color:var(--soft)}
.absent,.note{padding:8px 12px}
.stack{display:grid;gap:12px;min-width:0}
.inset{display:flex;gap:12px;max-width:74ch}
.inset>.stack{flex:1}
.inset.is-box{padding:12px 14px;border-radius:3px;background:var(--panel)}
.inset.is-indent{padding-left:24px}
.inset__icon{flex:none}
.toggle>summary>.prose{display:inline-grid;vertical-align:top}
.toggle>.stack{padding:8px 0 0 18px}
.columns{display:grid;grid-template-columns:var(--shares);gap:16px 24px}
.has-letters,.has-letters :is(h3,h4,blockquote){color:color-mix(in srgb,var(--hue) 62%,var(--ink))}
.has-ground{padding:6px 10px;border-radius:3px}
.has-ground,.inset.is-box.has-ground{background:color-mix(in srgb,var(--hue) 16%,var(--page))}
.board.is-rows .row{padding:8px 0;border-top:1px solid var(--rule)}
.scroll{overflow-x:auto}
table{border-collapse:collapse}
.prose :is(th,td){border:1px solid var(--rule);padding:4px 10px;text-align:left}
.grid{width:100%;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
.grid th{font:500 12px/16px var(--sans);color:var(--soft);text-align:left;padding:8px 12px 8px 0;white-space:nowrap}
.grid .mono{white-space:nowrap}
.grid .wide{width:60%}
.grid td{padding:8px 12px 8px 0;border-top:1px solid var(--rule);vertical-align:top;overflow-wrap:anywhere}
.facts-rail .grid{border:0}
.facts-rail .grid td+td{overflow-wrap:normal;white-space:nowrap}
dialog{background:var(--page);color:inherit;border:1px solid var(--rule);border-radius:5px;padding:20px 24px;width:min(960px,calc(100vw - 32px));max-height:calc(100vh - 48px)}
dialog::backdrop{background:rgba(17,17,16,.55)}
.dialog__head{display:flex;gap:16px;justify-content:space-between;align-items:flex-start;padding-bottom:12px}
.dialog__head h2{font:600 18px/26px var(--sans);overflow-wrap:anywhere}
.dialog__head h2 .mono{font-size:14px;color:var(--soft)}
.close{border:1px solid var(--rule);border-radius:3px;padding:4px 10px}
.viewer__foot{display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:space-between;font:12px/16px var(--sans);color:var(--soft);overflow-wrap:anywhere}
@media (max-width:1099px){.cover,.pages,.read{grid-template-columns:minmax(0,1fr)}}
@media (max-width:599px){.columns{grid-template-columns:minmax(0,1fr)}.viewer{padding:0 16px 24px}.cover{padding:24px 0 20px;gap:24px}.cover h1{font-size:28px;line-height:34px}.post{grid-template-columns:minmax(0,1fr)}.post>.face{display:none}.event{padding-left:0;flex-wrap:wrap}.tabs{width:100%}.archived{margin-left:0}.search{width:100%;margin:8px 0}.search input{height:40px;font-size:16px}.search .icon{top:12px}.board{grid-auto-columns:84vw}}
@media print{.tools,.close,.more,.search{display:none}.board{grid-auto-flow:row}}
`;
