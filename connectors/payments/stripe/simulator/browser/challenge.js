/**
 * The page of the card's bank on which its holder confirms a payment: 3-D Secure.
 * @param api calls the simulator
 * @param secret the client secret of the intent
 */
// biome-ignore lint/correctness/noUnusedVariables: used by the part stripe.js
function askHolder(api, secret) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", "3-D Secure challenge");
  dialog.innerHTML = `
    <h2>3D Secure 2 Test Page</h2>
    <p>The bank of this card asks its holder to confirm the payment.</p>
    <button type="button" data-passed="true">Complete</button>
    <button type="button" data-passed="false">Fail</button>`;
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((settle) => {
    const end = async (isPassed) => {
      const answer = await api("POST", "/v3/challenge", {
        client_secret: secret,
        is_passed: String(isPassed),
      });
      dialog.close();
      dialog.remove();
      settle(answer);
    };
    // The key Escape is a refusal as well: the holder has left the page.
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void end(false);
    });
    for (const button of dialog.querySelectorAll("button")) {
      button.addEventListener("click", () => void end(button.dataset.passed === "true"), { once: true });
    }
  });
}
