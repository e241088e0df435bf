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

// The text of an article has the height that it needs: the page scrolls, and not a part of it.
const shownText = /** @type {HTMLIFrameElement | null} */ (document.querySelector(".text-frame iframe"));
function fitText() {
  const height = shownText?.contentDocument?.body?.offsetHeight;
  if (height) shownText.height = `${height + 2}`;
}
if (shownText) {
  // The text is there before its image, for which the load event waits.
  const fitting = setInterval(() => {
    const shown = shownText.contentDocument;
    fitText();
    if (shown?.URL === "about:blank" || shown?.readyState !== "complete") return;
    clearInterval(fitting);
    explainImage();
  }, 200);
  shownText.addEventListener("load", fitText);
  new ResizeObserver(fitText).observe(shownText);
}

// Who wants to reject is asked for the reason.
document.addEventListener("toggle", event => {
  const menu = event.target;
  if (menu instanceof HTMLDetailsElement && menu.open && menu.matches(".reject")) focus(document.getElementById("reason"));
}, true);

// What was typed into a form is not left without a question.
let sent = false;
document.addEventListener("submit", event => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!event.defaultPrevented && !form.target && !(/** @type {HTMLButtonElement | null} */ (event.submitter))?.formTarget) sent = true;
});
addEventListener("beforeunload", event => {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("form[method=post] :is(textarea, input:not([type=hidden], [type=checkbox], [type=radio]))"));
  if (!sent && [...fields].some(f => f.value !== f.defaultValue)) event.preventDefault();
});

// What was typed and not saved is kept for the person on this browser, until they sign out.
const copies = `text ${document.body.dataset.person} `;
document.querySelector("form[action='/oauth/sign-out']")?.addEventListener("submit", () => {
  for (const name of Object.keys(localStorage)) if (name.startsWith(copies)) localStorage.removeItem(name);
});

// What was done before this page was opened stands on it, as if the server had led here.
const told = sessionStorage.getItem("notice");
sessionStorage.removeItem("notice");
if (told) {
  const notice = Object.assign(document.createElement("p"), {className: "notice", textContent: told, tabIndex: -1});
  notice.setAttribute("role", "status");
  document.getElementById("main")?.prepend(notice);
  notice.focus();
}

// The editor: a preview 400 ms after the last key, a copy of what is not saved, and saving without leaving the page.
const editor = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-editor]"));
if (editor) edit(editor);

/** @param {HTMLFormElement} form */
function edit(form) {
  // The form has other addresses too, after a change of its questions. Each tab has a copy of its own, and the page that a form leads to goes
  // on with that of the page before.
  const all = copies + form.getAttribute("action");
  const handed = sessionStorage.getItem("copy") ?? "";
  sessionStorage.removeItem("copy");
  const copy = handed.startsWith(all + " ") ? handed : `${all} ${Date.now()}-${Math.random()}`;
  const hand = () => sessionStorage.setItem("copy", copy);
  // A copy names the text that it is a change of, which is no part of what was typed.
  const written = () => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "ticket"));
  /** @param {string} text */
  const typedIn = text => JSON.stringify(JSON.parse(text).filter((/** @type {[string]} */ [name]) => name !== "digest" && name !== "version"));
  const state = () => typedIn(written());
  const keep = () => localStorage.setItem(copy, written());
  const shown = state();
  const said = document.getElementById("saved");
  let saving = false;
  let stale = false;
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
      frame.hidden = false;
      // It stays where somebody reads.
      frame.contentWindow?.scrollTo(0, old.contentWindow?.scrollY ?? 0);
      old.remove();
      frame.name = "preview";
      const measured = document.getElementById("measure");
      if (measured) measured.textContent = frame.contentDocument?.getElementById("measure")?.textContent ?? "";
      form.dispatchEvent(new CustomEvent("findings", {detail: findings(frame)}));
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
    if (said?.textContent?.startsWith("Saved")) said.textContent = "There are changes that are not saved.";
    clearTimeout(timer);
    timer = setTimeout(() => {
      keep();
      preview();
    }, 400);
  });
  form.addEventListener("submit", event => {
    const button = /** @type {SubmitEvent} */ (event).submitter;
    if (button?.hasAttribute("formaction")) {
      if (!button.hasAttribute("formtarget")) hand();
      return;
    }
    event.preventDefault();
    clearTimeout(timer);
    keep();
    preview();
    if (saving) stale = true;
    else save(button);
  });
  document.addEventListener("keydown", event => {
    // With Caps Lock, it is S.
    if (event.key?.toLowerCase() !== "s" || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector(".primary"));
  });

  /** Sends the text until the server has it. @param {HTMLElement | null} button */
  async function save(button) {
    saving = true;
    /** @param {string} text */
    const say = text => { if (said) said.textContent = text; };
    say("Saving …");
    const typed = () => {
      stale = false;
      const fields = /** @type {HTMLInputElement[]} */ ([...form.elements].filter(e => "defaultValue" in e));
      return {text: state(), fields, values: fields.map(f => f.value), body: new FormData(form, button)};
    };
    let sending = typed();
    for (let wait = 1000; ; wait = Math.min(2 * wait, 15_000)) {
      const {text, fields, values, body} = sending;
      const answer = await fetch(form.action, {method: "POST", body: new URLSearchParams(/** @type {any} */ (body)), headers: {"Pressroom-Save": "1"}}).catch(() => null);
      const page = answer && elements(await answer.text().catch(() => ""));
      if (answer && !answer.ok && answer.status < 500 && answer.status !== 429) {
        // The page of the server says what is wrong, and has the text.
        sent = true;
        hand();
        if (button instanceof HTMLButtonElement && button.name) form.append(Object.assign(document.createElement("input"), {type: "hidden", name: button.name, value: button.value}));
        form.submit();
        return;
      }
      const done = page?.querySelector(".notice");
      const made = done instanceof HTMLElement ? done.dataset : /** @type {DOMStringMap} */ ({});
      const {digest, path} = made;
      if (answer?.ok && (answer.redirected || done)) {
        if (state() === text) localStorage.removeItem(copy);
        fields.forEach((f, i) => { f.defaultValue = values[i] ?? ""; });
        if (path || answer.redirected) {
          sent = true;
          // What was typed since then is compared with the merged text by the server.
          if (made.merged && state() !== text) {
            hand();
            form.submit();
            return;
          }
          sessionStorage.setItem("notice", done?.textContent ?? "");
          location.assign(path || answer.url);
          return;
        }
        // What was typed since then is not saved, and the line says so.
        if (/^(Saving|Not saved)/.test(said?.textContent ?? "")) say(done?.textContent ?? "");
        settle(form);
        if (digest) {
          form.elements.digest.value = digest;
          // What is made of the text follows it.
          for (const f of fields) if (f.name.startsWith("meta_") && f.value === f.defaultValue) f.value = f.defaultValue = made[f.name] ?? f.value;
          if (!stale) break;
          say("Saving …");
          sending = typed();
        }
        // Without a digest the text is being stored: what was typed since then can be saved only once there is one.
        wait = 500;
      } else {
        say("Not saved: the server does not answer. This browser keeps the text, and tries again.");
        sending = typed();
      }
      await new Promise(again => setTimeout(again, wait));
    }
    saving = false;
  }

  if (!location.pathname.endsWith("/preview")) {
    for (const name of Object.keys(localStorage).filter(name => name === all || name.startsWith(all + " "))) {
      const kept = localStorage.getItem(name) ?? "[]";
      const forget = () => localStorage.removeItem(name);
      if (typedIn(kept) === shown) forget();
      else offerCopy(form, kept, forget, () => {
        forget();
        keep();
        preview();
      });
    }
  }
  const area = /** @type {HTMLTextAreaElement | null} */ (form.querySelector("#markdown"));
  if (area) dress(area);
  if (area?.value) preview();
}

/** Takes away what was wrong before the form was saved. @param {HTMLFormElement} form */
function settle(form) {
  for (const problem of document.querySelectorAll("#main > .problem, form[data-editor] .problem")) problem.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(id => document.getElementById(id));
    if (described.length > 0) field.setAttribute("aria-describedby", described.join(" "));
    else field.removeAttribute("aria-describedby");
  }
}

/**
 * What failed checks are about, by the answer in the frame of the preview.
 * @param {HTMLIFrameElement} frame @returns {{message: string, passages: string[]}[]}
 */
function findings(frame) {
  return [...frame.contentDocument?.querySelectorAll("[data-finding]") ?? []].map(found => ({
    message: found.firstChild?.textContent ?? "", passages: [...found.querySelectorAll("[data-passage]")].map(p => p.textContent ?? ""),
  }));
}

/**
 * Offers a copy of what was typed and not saved. A restored copy is a change of the text that it was typed into: what others have saved since
 * is merged when it is saved.
 * @param {HTMLFormElement} form @param {string} kept @param {() => void} forget @param {() => void} restored
 */
function offerCopy(form, kept, forget, restored) {
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
      field?.dispatchEvent(new Event("restore"));
    }
    restored();
  }
}
