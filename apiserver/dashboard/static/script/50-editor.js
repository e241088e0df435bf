// A text that is newer than the one that a page shows is announced, and never put in its place: decisions are about what was read.
const text = document.getElementById("article-state");
if (text) {
  const digest = () => document.getElementById("article-text")?.dataset.digest ?? "";
  const read = digest();
  new MutationObserver(() => {
    const newer = document.getElementById("newer");
    if (newer?.hidden && digest() !== read && digest() !== "") {
      newer.hidden = false;
      announce(newer.textContent ?? "");
    }
  }).observe(document.getElementById("main") ?? document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ["data-digest"]});
}

// Who wants to reject is asked for the reason.
document.addEventListener("toggle", event => {
  const menu = event.target;
  if (menu instanceof HTMLDetailsElement && menu.open && menu.matches(".reject")) focus(document.getElementById("reason"));
}, true);

// What was typed is no longer kept once it is saved, nor after signing out.
if (document.querySelector(".notice") && text) {
  for (const form of [location.pathname + "/edit", location.pathname.replace(/[^/]+$/, "new/write")]) sessionStorage.removeItem("text " + form);
}
document.querySelector("form[action='/oauth/sign-out']")?.addEventListener("submit", () => sessionStorage.clear());

// The editor: a preview 400 ms after the last key, a copy of what is not saved, and a question before it is left.
const editor = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-editor]"));
if (editor) edit(editor);

/** @param {HTMLFormElement} form */
function edit(form) {
  // The form has other addresses too, after a change of its questions.
  const copy = "text " + form.getAttribute("action");
  const state = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "ticket" && name !== "digest"));
  const saved = state();
  let timer = 0;
  let busy = false;
  let again = false;

  function preview() {
    if (busy) {
      again = true;
      return;
    }
    const old = form.querySelector("iframe");
    if (!old) return;
    // A frame of its own for each preview leaves no step in the browser's history, and the one before stays until it is there.
    const frame = /** @type {HTMLIFrameElement} */ (old.cloneNode());
    frame.name = "preview-" + Date.now();
    frame.hidden = true;
    busy = true;
    old.after(frame);
    const sent = document.createElement("form");
    sent.method = "post";
    sent.action = form.dataset.preview ?? "";
    sent.target = frame.name;
    sent.hidden = true;
    for (const [name, value] of new FormData(form)) {
      const field = document.createElement("textarea");
      field.name = name;
      field.value = String(value);
      sent.append(field);
    }
    document.body.append(sent);
    frame.addEventListener("load", () => {
      old.remove();
      frame.hidden = false;
      frame.name = "preview";
      busy = false;
      if (again) {
        again = false;
        preview();
      }
    });
    sent.submit();
    sent.remove();
  }

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      sessionStorage.setItem(copy, state());
      preview();
    }, 400);
  });
  let leaving = false;
  form.addEventListener("submit", event => {
    const button = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
    if (button?.formTarget) return;
    leaving = true;
    sessionStorage.setItem(copy, state());
  });
  addEventListener("beforeunload", event => {
    if (!leaving && state() !== saved) event.preventDefault();
  });

  const kept = sessionStorage.getItem(copy);
  if (kept && kept !== saved) offerCopy(form, kept, () => sessionStorage.removeItem(copy), preview);
  else sessionStorage.removeItem(copy);
  if (/** @type {HTMLTextAreaElement | null} */ (form.querySelector("#markdown"))?.value) preview();
}

/**
 * Offers a copy of what was typed and not saved.
 * @param {HTMLFormElement} form @param {string} kept @param {() => void} forget @param {() => void} preview
 */
function offerCopy(form, kept, forget, preview) {
  const box = document.createElement("p");
  box.className = "warning";
  box.setAttribute("role", "status");
  box.append("This browser has a text that you typed here and did not save. ");
  for (const [words, act] of /** @type {[string, () => void][]} */ ([["Restore it", restore], ["Forget it", forget]])) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = words;
    button.addEventListener("click", () => {
      act();
      box.remove();
      form.querySelector("textarea")?.focus();
    });
    box.append(button, " ");
  }
  form.before(box);

  function restore() {
    /** @type {Record<string, number>} */
    const seen = {};
    for (const [name, value] of JSON.parse(kept)) {
      const at = (seen[name] = (seen[name] ?? -1) + 1);
      const field = form.querySelectorAll(`[name="${CSS.escape(name)}"]`)[at];
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) field.value = value;
    }
    preview();
  }
}
