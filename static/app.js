// Small comforts on top of pages that work without them.
(function () {
  "use strict";

  document.documentElement.classList.add("js");

  // Enter asks; Shift and Enter begin a new line. While an input method is
  // composing, Enter belongs to it.
  document.addEventListener("keydown", function (event) {
    var box = event.target;
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !box.matches || !box.matches("[data-ask] textarea")) return;
    event.preventDefault();
    if (box.value.trim() !== "") box.form.requestSubmit();
  });

  // After a question: empty the box, keep the focus in it except where that
  // would bring up a keyboard over the answer, and bring the new turn to the top. What is being read
  // then stays where it is while it grows.
  function focus(box) {
    if (window.matchMedia("(pointer: coarse)").matches) box.blur();
    else box.focus({ preventScroll: true });
  }

  document.addEventListener("htmx:afterRequest", function (event) {
    var form = event.target;
    if (!event.detail.successful) return;
    say("");
    if (form.matches && form.matches("[data-ask]") && form.isConnected) {
      form.reset();
      focus(form.querySelector("textarea"));
    }
  });

  document.addEventListener("htmx:afterSwap", function (event) {
    if (event.detail.requestConfig === undefined) return; // a part of a stream
    if (event.target.id === "thread") {
      event.target.lastElementChild.scrollIntoView({ block: "start" });
    } else if (event.target.id === "main") {
      var box = event.target.querySelector("[data-ask] textarea");
      if (box) focus(box);
    }
  });

  // A citation opens the passage it leads to.
  function reveal() {
    var card = location.hash.indexOf("#s-") === 0 && document.getElementById(location.hash.slice(1));
    if (!card) return;
    for (var e = card.parentElement; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    card.querySelectorAll("details").forEach(function (d) { d.open = true; });
    card.scrollIntoView({ block: "nearest" });
    var mark = card.querySelector("mark");
    if (mark) mark.scrollIntoView({ block: "nearest" });
  }
  window.addEventListener("hashchange", reveal);
  document.addEventListener("click", function (event) {
    var cite = event.target.closest && event.target.closest("a.cite");
    if (cite && cite.getAttribute("href") === location.hash) reveal(); // the address does not change
  });
  document.addEventListener("DOMContentLoaded", reveal);

  // Files may be dropped on the form, and a folder may be chosen as a whole.
  function filesOf(form) { return form.querySelector("input[type=file]"); }
  document.addEventListener("change", function (event) {
    if (!event.target.matches("[data-folder]")) return;
    var input = filesOf(event.target.form);
    input.value = "";
    input.webkitdirectory = event.target.checked;
  });
  ["dragover", "drop"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var form = document.querySelector("[data-drop]");
      if (!form || !event.dataTransfer || Array.prototype.indexOf.call(event.dataTransfer.types, "Files") < 0) return;
      event.preventDefault();
      form.classList.toggle("over", kind === "dragover");
      if (kind === "drop") {
        filesOf(form).files = event.dataTransfer.files;
        filesOf(form).focus();
      }
    });
  });

  // A lost connection is said, and taken back when it is there again.
  var lost = "The connection is lost. Trying again…";
  document.addEventListener("htmx:sendError", function (event) {
    var asks = event.target.matches && event.target.matches("[data-ask]");
    say("The server cannot be reached." + (asks ? " Your question is still in the box." : ""));
  });
  document.addEventListener("htmx:sseError", function () { say(lost); });
  document.addEventListener("htmx:sseOpen", function () { if (said === lost) say(""); });

  var said = "";
  function say(words) {
    var alerts = document.getElementById("alerts");
    said = words;
    alerts.textContent = "";
    if (words === "") return;
    var p = document.createElement("p");
    p.className = "notice warning";
    p.textContent = words;
    alerts.append(p);
  }
})();
