// The field of a text: CodeMirror over the plain field, which keeps the text that the form sends, and which is there without this too.
/** @typedef {any} View an EditorView of CodeMirror, whose types are not here */

/** @param {HTMLTextAreaElement} area */
async function dress(area) {
  /** @type {any} */
  const cm = await import(area.dataset.module ?? "").catch(() => null);
  const label = document.querySelector("label[for=markdown]");
  if (!cm || !label || !area.form) return;
  const {form} = area;
  label.id = "markdown-label";
  const marks = underlines(cm);
  /** @type {View} */
  const view = new cm.EditorView({
    doc: area.value,
    selection: {anchor: area.selectionStart, head: area.selectionEnd},
    extensions: [
      cm.EditorView.cspNonce.of(area.dataset.nonce), cm.EditorView.lineWrapping, cm.markdownLanguage, cm.history(),
      cm.syntaxHighlighting(cm.tagHighlighter(Object.entries(looks).map(([name, look]) => ({tag: cm.tags[name], class: look})))),
      cm.autocompletion({override: [links(area)], icons: false}),
      // Tab leads out of the field.
      cm.keymap.of([
        {key: "Enter", run: cm.insertNewlineContinueMarkupCommand({nonTightLists: false})}, {key: "Backspace", run: cm.deleteMarkupBackward},
        // It sends the form.
        {key: "Mod-Enter", run: () => true}, ...cm.historyKeymap, ...cm.standardKeymap,
      ]),
      cm.EditorView.domEventHandlers({paste: /** @type {any} */ ((event, to) => paste(event, to, cm, area)), keydown: /** @type {any} */ (shortcut)}),
      cm.EditorView.contentAttributes.of(() => ({
        tabindex: "0", "aria-labelledby": label.id, "aria-required": "true", spellcheck: "true", autocorrect: "on", autocapitalize: "on", lang: area.lang,
        ...area.hasAttribute("aria-invalid") && {"aria-invalid": "true"},
        "aria-describedby": ["content_markdown-problem", "markdown-hint"].filter(id => document.getElementById(id)).join(" "),
      })),
      cm.EditorView.editorAttributes.of({dir: area.dir}),
      cm.EditorView.updateListener.of((/** @type {any} */ update) => {
        const text = update.docChanged ? update.state.doc.toString() : area.value;
        if (area.value === text) return;
        area.value = text;
        area.dispatchEvent(new Event("input", {bubbles: true}));
      }),
      marks.field,
    ],
  });
  const had = document.activeElement === area;
  area.after(view.dom);
  area.classList.add("dressed");
  area.tabIndex = -1;
  area.setAttribute("aria-hidden", "true");
  // Its label, and what is wrong with it, lead to it.
  area.addEventListener("focus", () => view.focus());
  const take = () => {
    const doc = view.state.doc.toString();
    if (area.value !== doc) view.dispatch({changes: {from: 0, to: doc.length, insert: area.value}, annotations: cm.isolateHistory.of("full")});
  };
  for (const type of ["input", "restore"]) area.addEventListener(type, take);
  form.addEventListener("reset", () => setTimeout(take));
  form.addEventListener("findings", event => marks.show(view, /** @type {CustomEvent} */ (event).detail));
  // The first preview may be there already.
  const frame = form.querySelector("iframe");
  if (frame) marks.show(view, findings(frame));
  tools(view, cm);
  if (had) view.focus();

  /** Formats with Ctrl and a letter, which is a capital one with Caps Lock. @param {KeyboardEvent} event @param {View} to */
  function shortcut(event, to) {
    const format = {b: "bold", i: "italic", k: "link"}[event.key?.toLowerCase()];
    if (!format || event.isComposing || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return false;
    event.preventDefault();
    formats(cm)[format]?.(to);
    return true;
  }
}

/** The classes of the parts of Markdown, by the tags of CodeMirror. */
const looks = {
  heading1: "md-h md-h1", heading2: "md-h md-h2", heading3: "md-h md-h3", heading4: "md-h", heading5: "md-h", heading6: "md-h", strong: "md-strong",
  emphasis: "md-em", strikethrough: "md-strike", link: "md-link", url: "md-url", monospace: "md-code", quote: "md-quote", processingInstruction: "md-sign",
};

/**
 * What the buttons do, by their names.
 * @param {any} cm @returns {Record<string, (view: View) => void>}
 */
function formats(cm) {
  /** Puts signs around what is selected, or the word at the cursor, or takes them away. @param {string} sign @returns {(view: View) => void} */
  const around = sign => view => change(view, range => {
    const {from, to} = range.empty ? view.state.wordAt(range.from) ?? range : range;
    const n = sign.length;
    if (view.state.sliceDoc(from - n, from) === sign && view.state.sliceDoc(to, to + n) === sign) {
      return {changes: [{from: from - n, to: from}, {from: to, to: to + n}], range: cm.EditorSelection.range(from - n, to - n)};
    }
    return {changes: [{from, insert: sign}, {from: to, insert: sign}], range: cm.EditorSelection.range(from + n, to + n)};
  });
  /** @param {(line: string, number: number) => string} begin @param {RegExp} old @returns {(view: View) => void} */
  const lines = (begin, old) => view => {
    const {state} = view;
    const {from, to} = state.selection.main;
    const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
    const all = state.sliceDoc(first.from, last.to).split("\n");
    let text = all.map((line, i) => begin(line, i + 1) + line.replace(old, "")).join("\n");
    // What is so already becomes plain again.
    if (text === all.join("\n")) text = all.map(line => line.replace(old, "")).join("\n");
    const head = first.from + text.length;
    view.dispatch({changes: {from: first.from, to: last.to, insert: text}, selection: {anchor: from === to ? head : first.from, head}, userEvent: "input"});
  };
  /** @param {View} view @param {(range: any) => any} each */
  const change = (view, each) => view.dispatch(view.state.changeByRange(each), {userEvent: "input", scrollIntoView: true});
  /** Puts a text in place of what is chosen, and selects the part of it between two NULs. @param {(chosen: string) => string} made @returns {(view: View) => void} */
  const insert = made => view => change(view, range => {
    const [before = "", part = "", after = ""] = made(view.state.sliceDoc(range.from, range.to)).split("\0");
    const at = range.from + before.length;
    return {changes: {from: range.from, to: range.to, insert: before + part + after}, range: cm.EditorSelection.range(at, at + part.length)};
  });
  const sign = /^(#{1,6}|>|[-*+]|\d+[.)])\s+/;
  return {
    bold: around("**"), italic: around("_"), strike: around("~~"), code: around("`"),
    h2: lines(() => "## ", sign), h3: lines(() => "### ", sign), list: lines(() => "- ", sign), numbers: lines((_, n) => `${n}. `, sign),
    quote: lines(() => "> ", sign),
    link: insert(chosen => chosen ? `[${chosen}](\0url\0)` : "[\0\0](url)"),
    image: insert(chosen => chosen ? `![${chosen}](\0https://\0)` : "![\0what it shows\0](https://)"),
    table: insert(() => "\n\n| \0Column\0 | Column |\n|---|---|\n| Cell | Cell |\n\n"),
  };
}

/** The buttons above the field: one of them is a stop of Tab, and arrows lead to the others. @param {View} view @param {any} cm */
function tools(view, cm) {
  const bar = document.getElementById("tools");
  const buttons = /** @type {HTMLButtonElement[]} */ ([...bar?.querySelectorAll("button") ?? []]);
  const all = formats(cm);
  for (const button of buttons) {
    button.addEventListener("click", () => {
      all[button.value]?.(view);
      view.focus();
    });
  }
  bar?.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    if (!step || at < 0) return;
    event.preventDefault();
    const next = buttons.at((at + step) % buttons.length);
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
  });
  if (bar) bar.hidden = false;
}

/**
 * Offers articles behind an @, for a link.
 * @param {HTMLTextAreaElement} area @returns {(context: any) => Promise<any>}
 */
function links(area) {
  return async context => {
    const typed = context.matchBefore(/(?<![^\s(])@[^\s@][^@\n]{0,60}/);
    if (!typed) return null;
    const query = new URLSearchParams({site: area.dataset.site || area.form?.site?.value, q: typed.text.slice(1)});
    const answer = await fetch(`${area.dataset.links}?${query}`).catch(() => null);
    const found = answer?.ok ? elements(await answer.text().catch(() => "")) : null;
    const options = [...found?.querySelectorAll("li") ?? []].map(({textContent, dataset: {url}}) => ({
      label: textContent ?? "", apply: `[${(textContent ?? "").replace(/[[\]\\]/g, "\\$&")}](${url})`,
    }));
    return options.length > 0 ? {from: typed.from, options, filter: false} : null;
  };
}

/** @param {string} text what the person has to know about what was pasted */
function tellPaste(text) {
  const told = document.getElementById("pasted");
  if (told) told.textContent = text;
}

/**
 * Makes a link of an address that is pasted on words, and has what is pasted keep its format. What is pasted is undone in one step.
 * @param {ClipboardEvent} event @param {View} view @param {any} cm @param {HTMLTextAreaElement} area
 */
function paste(event, view, cm, area) {
  /** @param {string} text */
  const insert = text => view.dispatch(view.state.replaceSelection(view.state.toText(text)), {userEvent: "input.paste", annotations: cm.isolateHistory.of("full"), scrollIntoView: true});
  const data = event.clipboardData;
  const plain = data?.getData("text/plain") ?? "";
  const {from, to} = view.state.selection.main;
  const chosen = view.state.sliceDoc(from, to);
  if (chosen && !chosen.includes("\n") && /^\s*https?:\/\/\S+\s*$/.test(plain)) {
    insert(`[${chosen}](${plain.trim()})`);
    return true;
  }
  const pasted = data?.getData("text/html") ?? "";
  // Pictures within what is pasted are not kept.
  const html = pasted.replace(/data:image[^"']*/g, "");
  const pictures = html !== pasted || [...data?.files ?? []].some(file => file.type.startsWith("image/")) && !plain;
  tellPaste(pictures ? "The picture was not pasted: Pressroom does not store pictures. Put it on the web, and give its address with the button Image, or below as the featured image." : "");
  // What has no such element is code, or plain.
  if (!/<(h[1-6]|p|ul|ol|table|a|b|strong|i|em|s|del)[\s>]/i.test(html)) return pictures && !plain;
  const body = new URLSearchParams({html, ticket: area.form?.ticket.value});
  fetch(area.dataset.paste ?? "", {method: "POST", body}).catch(() => null).then(async answer => {
    const text = answer?.ok ? elements(await answer.text().catch(() => "")).querySelector("pre")?.textContent : "";
    view.focus();
    insert(text || plain);
    if (!text && plain) announce("Pasted without its format");
  });
  return true;
}

/** The lines under what failed checks are about, each with what was found as its title. @param {any} cm */
function underlines(cm) {
  const found = cm.StateEffect.define();
  const field = cm.StateField.define({
    create: () => cm.Decoration.none,
    update: (/** @type {any} */ marks, /** @type {any} */ t) => t.effects.reduce((/** @type {any} */ m, /** @type {any} */ e) => e.is(found) ? e.value : m, marks.map(t.changes)),
    provide: (/** @type {any} */ f) => cm.EditorView.decorations.from(f),
  });
  /** @param {View} view @param {{message: string, passages: string[]}[]} all */
  const show = (view, all) => {
    const {text, places} = plainOf(view.state, cm);
    /** @type {any[]} */
    const ranges = [];
    for (const {message, passages} of all) {
      for (const passage of passages) {
        for (let at = text.indexOf(passage); at >= 0; at = text.indexOf(passage, at + passage.length)) {
          ranges.push(cm.Decoration.mark({class: "finding", attributes: {title: message}}).range(places[at], (places[at + passage.length - 1] ?? 0) + 1));
        }
      }
    }
    for (const at of bareImages(view.state, cm)) {
      ranges.push(cm.Decoration.mark({class: "finding", attributes: {title: "This image has no text for people who do not see it."}}).range(at.from, at.to));
    }
    view.dispatch({effects: found.of(cm.Decoration.set(ranges, true))});
  };
  return {field, show};
}

/** The text without its Markdown and with single blanks, as checks name its passages, and the place of each character. @param {any} state @param {any} cm */
function plainOf(state, cm) {
  const doc = state.doc.toString();
  const hidden = new Uint8Array(doc.length);
  cm.ensureSyntaxTree(state, doc.length, 500)?.iterate({enter: (/** @type {any} */ n) => {
    if (/Mark(er)?$|^(Image|LinkTitle|LinkLabel|HTMLTag)$/.test(n.name) || n.name === "URL" && n.node.parent?.name === "Link") hidden.fill(1, n.from, n.to);
    if (n.name === "Escape") hidden[n.from] = 1;
  }});
  let text = "";
  /** @type {number[]} */
  const places = [];
  for (let i = 0; i < doc.length; i++) {
    const c = doc.charAt(i);
    if (hidden[i] || c.trim() === "" && (text === "" || text.endsWith(" "))) continue;
    text += c.trim() === "" ? " " : c;
    places.push(i);
  }
  return {text, places};
}

/** The images that have no alternative text. @param {any} state @param {any} cm */
function bareImages(state, cm) {
  /** @type {{from: number, to: number}[]} */
  const bare = [];
  cm.ensureSyntaxTree(state, state.doc.length, 500)?.iterate({enter: (/** @type {any} */ n) => {
    if (n.name === "Image" && /^!\[\s*\]/.test(state.sliceDoc(n.from, n.to))) bare.push({from: n.from, to: n.to});
  }});
  return bare;
}
