/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader can do with the report: see the jobs behind a figure, filter, switch the theme. Every text from the
   data reaches the page through textContent alone. */
"use strict";
(function () {
  var store = null; /* a file's page may be refused its storage */
  try { store = window.localStorage; } catch (e) { store = null; }

  function remembered() {
    try { return store && store.getItem("bnbench-theme"); } catch (e) { return null; }
  }
  function remember(theme) {
    try { if (store) { store.setItem("bnbench-theme", theme); } } catch (e) { /* then for this visit alone */ }
  }
  var root = document.documentElement, wish = remembered();
  if (wish === "dark" || wish === "light") { root.setAttribute("data-theme", wish); }

  function isDark() {
    var theme = root.getAttribute("data-theme");
    return theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function make(name, text, className) {
    var element = document.createElement(name);
    if (text !== undefined && text !== null) { element.textContent = text; }
    if (className) { element.className = className; }
    return element;
  }
  function button(text, className, action) {
    var element = make("button", text, className);
    element.type = "button";
    element.addEventListener("click", action);
    return element;
  }
  function heading(text) {
    var cell = make("th", text);
    cell.scope = "col";
    return cell;
  }

  var data = null;
  /* Places in a job's row. */
  var NETWORK = 0, SIZE = 1, REPLICATE = 2, LEARNER = 3, STATE = 4, SEED = 5, DATA = 6, OPTIONS = 7, MESSAGE = 8,
    SAID = 9, SIGMA = 10, VALUES = 11;

  function number(value) {
    var size = Math.abs(value);
    if (value === null || value === undefined) { return "-"; }
    return size >= 1e6 || (size > 0 && size < 1e-3) ? value.toExponential(3) : String(Number(value.toPrecision(6)));
  }
  function text(place) { return place < 0 ? "" : data.texts[place]; }
  function metricLabel(i) { return data.metrics[i][0] + (data.metrics[i][1] ? " (" + data.metrics[i][1] + ")" : ""); }
  function metricPlace(name) {
    for (var i = 0; i < data.metrics.length; i++) { if (data.metrics[i][0] === name) { return i; } }
    return -1;
  }

  /* As a POSIX shell takes it. */
  function word(s) {
    s = String(s);
    return /^[A-Za-z0-9_\-.\/=,:+@%]+$/.test(s) ? s : "'" + s.split("'").join("'\\''") + "'";
  }
  /* A name as YAML takes it. */
  function yaml(s) { return /^[A-Za-z_][A-Za-z0-9_\-]*$/.test(s) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(s) ? s : JSON.stringify(s); }
  function commandOf(job) {
    var only = ["network=" + yaml(data.networks[job[NETWORK]]), "samples=" + job[SIZE]].concat(
      job[SIGMA] === null ? [] : ["sigma=" + job[SIGMA]],
      "replicate=" + (job[REPLICATE] + 1), "learner=" + yaml(data.learners[job[LEARNER]]));
    return "bnbench run experiment.yaml --store repeated " +
      only.map(function (choice) { return "--set " + word("only." + choice); }).join(" ");
  }

  function fact(list, name, value) {
    if (value === "" || value === null || value === undefined) { return; }
    list.appendChild(make("dt", name));
    list.appendChild(make("dd", value));
  }
  function copyButton(command) {
    var element = button("Copy", "", function () {
      var done = function (ok) { element.textContent = ok ? "Copied" : "Select and copy by hand"; };
      if (navigator.clipboard) {
        navigator.clipboard.writeText(command).then(function () { done(true); }, function () { done(false); });
      } else { done(false); }
    });
    return element;
  }
  function optionsOf(job) {
    var options;
    try { options = JSON.parse(text(job[OPTIONS])); } catch (e) { return text(job[OPTIONS]); }
    return Object.keys(options).map(function (name) {
      var value = options[name];
      return name + "=" + (typeof value === "number" ? number(value) : typeof value === "string" ? value : JSON.stringify(value));
    }).join(", ");
  }
  function describe(job) {
    var box = make("div"), list = make("dl", null, "facts"), measures = make("ul", null, "measures"), command = commandOf(job);
    fact(list, "state", data.states[job[STATE]]);
    fact(list, "message", text(job[MESSAGE]));
    fact(list, "standard error", text(job[SAID]));
    fact(list, "options", optionsOf(job));
    fact(list, "seed of the learner", job[SEED]);
    fact(list, "data (SHA-256)", text(job[DATA]));
    (job[VALUES] || []).forEach(function (value, i) {
      var line;
      if (value === null) { return; }
      line = make("li");
      line.appendChild(make("span", metricLabel(i), "soft"));
      line.appendChild(make("span", number(value)));
      measures.appendChild(line);
    });
    box.appendChild(make("p", "This repeats the job alone, with the file experiment.yaml that lies beside this page:", "soft"));
    box.appendChild(make("pre", command, "command"));
    box.appendChild(copyButton(command));
    box.appendChild(list);
    box.appendChild(measures);
    return box;
  }

  /* ---- a table of jobs, made as far as it is looked at ---- */

  var MOST_ROWS = 200;

  function valueOf(job, column) {
    if (column.metric !== undefined) {
      var v = job[VALUES] ? job[VALUES][column.metric] : null;
      return v === undefined ? null : v;
    }
    var v = job[column.place];
    return column.names ? column.names[v] : column.place === REPLICATE ? v + 1 : v;
  }
  function columnsFor(metrics) {
    var columns = [
      { title: "network", place: NETWORK, names: data.networks }, { title: "rows", place: SIZE },
      { title: "data set", place: REPLICATE }, { title: "learner", place: LEARNER, names: data.learners },
      { title: "state", place: STATE, names: data.states }];
    if (data.hasNoise) { columns.splice(2, 0, { title: "sigma", place: SIGMA }); }
    metrics.forEach(function (m) { if (m >= 0) { columns.push({ title: metricLabel(m), metric: m }); } });
    return columns;
  }
  function compare(a, b) {
    if (a === b) { return 0; }
    if (a === null) { return 1; }
    if (b === null) { return -1; }
    return a < b ? -1 : 1;
  }
  function jobRow(job, columns) {
    var row = make("tr"), last = make("td"), more = null, opener;
    columns.forEach(function (column) {
      var value = valueOf(job, column);
      row.appendChild(make("td", column.metric !== undefined ? number(value) : value,
        (column.names ? "word" : "") + (column.place === STATE && job[STATE] !== 0 ? " failed" : "")));
    });
    opener = button("Details", "", function () {
      var isOpen = opener.getAttribute("aria-expanded") === "true", cell;
      opener.setAttribute("aria-expanded", String(!isOpen));
      if (!more) {
        more = make("tr");
        cell = make("td", null, "detail");
        cell.colSpan = columns.length + 1;
        cell.appendChild(describe(job));
        more.appendChild(cell);
        row.parentNode.insertBefore(more, row.nextSibling);
      }
      more.hidden = isOpen;
    });
    opener.setAttribute("aria-expanded", "false");
    last.appendChild(opener);
    row.appendChild(last);
    return row;
  }
  function jobTable(jobs, metrics, place) {
    var columns = columnsFor(metrics), table = make("table"), head = make("thead"), line = make("tr"), body = make("tbody"),
      shown = MOST_ROWS, sorted = jobs.slice(), by = -1, isDown = false, scroll = make("div", null, "scroll"), more;
    function fill() {
      var part = document.createDocumentFragment();
      sorted.slice(0, shown).forEach(function (job) { part.appendChild(jobRow(job, columns)); });
      body.textContent = "";
      body.appendChild(part);
      more.hidden = sorted.length <= shown;
      more.textContent = "Show more of the " + sorted.length + " jobs";
    }
    function sortBy(i) {
      isDown = by === i && !isDown;
      by = i;
      sorted.sort(function (a, b) {
        var order = compare(valueOf(a, columns[i]), valueOf(b, columns[i]));
        return isDown ? -order : order;
      });
      Array.prototype.forEach.call(line.children, function (cell, k) {
        if (k < columns.length) { cell.setAttribute("aria-sort", k === i ? (isDown ? "descending" : "ascending") : "none"); }
      });
      fill();
    }
    columns.forEach(function (column, i) {
      var cell = heading();
      cell.appendChild(button(column.title, "sort", function () { sortBy(i); }));
      line.appendChild(cell);
    });
    line.appendChild(heading("job"));
    head.appendChild(line);
    table.appendChild(make("caption", sorted.length === 1 ? "1 job" : sorted.length + " jobs"));
    table.appendChild(head);
    table.appendChild(body);
    scroll.appendChild(table);
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Jobs");
    more = button("", "", function () { shown += MOST_ROWS; fill(); });
    place.textContent = "";
    place.appendChild(scroll);
    place.appendChild(more);
    fill();
  }

  /* ---- the jobs behind a figure ---- */

  function contains(list, value) { return !list || list.indexOf(value) >= 0; }
  function partsOf(learner) { return data.parts[learner] || [learner]; }
  /* Of a pool, which has a number below 0, those of every learner in it. */
  function learnersOf(table, learner) {
    return learner >= 0 ? partsOf(learner) : [].concat.apply([], table.pools[-1 - learner].slice(1).map(partsOf));
  }

  function jobsBehind(table, group, learner) {
    var learners = learnersOf(table, learner), groupNetworks = table.networks, groupSizes = table.sizes,
      groupSigmas = table.sigmas;
    if (table.base >= 0) { learners = learners.concat(partsOf(table.base)); }
    if (group < table.groups.length && table.axis === "samples") {
      groupSizes = table.groups[group] === 0 ? null : [table.groups[group]]; // 0: all rows, however many
    }
    if (group < table.groups.length && table.axis === "network") { groupNetworks = [table.groups[group]]; }
    if (group < table.groups.length && table.axis === "sigma") { groupSigmas = [table.groups[group]]; }
    return data.jobs.filter(function (job) {
      return contains(learners, job[LEARNER]) && contains(groupNetworks, job[NETWORK]) && contains(groupSizes, job[SIZE]) &&
        contains(groupSigmas, job[SIGMA]);
    });
  }
  function showJobs(figure, tableElement) {
    var table = data.tables[Number(tableElement.getAttribute("data-table"))];
    var group = Number(figure.getAttribute("data-group")), learner = Number(figure.getAttribute("data-learner"));
    var dialog = document.getElementById("behind"), metrics = table.metrics.map(metricPlace);
    if (metrics.indexOf(metricPlace("time")) < 0) { metrics.push(metricPlace("time")); }
    document.getElementById("behind-title").textContent = "Jobs behind " + figure.textContent + " of " +
      (learner >= 0 ? data.learners[learner] : table.pools[-1 - learner][0]) + ", " + figure.getAttribute("data-where");
    document.getElementById("behind-table").textContent = table.title + (table.base >= 0
      ? "; the jobs of " + data.learners[table.base] + ", by which the figure is divided, are among them." : ".");
    jobTable(jobsBehind(table, group, learner), metrics, document.getElementById("behind-jobs"));
    dialog.showModal();
  }

  /* ---- filters ---- */

  function filterTable(input, table) {
    var wanted = input.value.trim().toLowerCase(), inColumns = table.hasAttribute("data-learner-columns"), n = 0;
    function fits(name) { return name.toLowerCase().indexOf(wanted) >= 0; }
    var heads = table.tHead.rows[0].cells, hidden = [];
    Array.prototype.forEach.call(heads, function (head, i) {
      hidden[i] = inColumns && head.hasAttribute("data-name") && !fits(head.textContent);
    });
    Array.prototype.forEach.call(table.rows, function (row, r) {
      Array.prototype.forEach.call(row.cells, function (cell, i) { cell.hidden = hidden[i]; });
      if (!inColumns && r > 0 && row.cells[0].hasAttribute("data-name")) { row.hidden = !fits(row.cells[0].textContent); }
    });
    n = inColumns ? hidden.filter(function (h, i) { return !h && heads[i].hasAttribute("data-name"); }).length
      : Array.prototype.filter.call(table.tBodies[0].rows, function (row) { return !row.hidden; }).length;
    input.setAttribute("aria-description", n + " shown");
  }
  function filterJobs() {
    var wanted = document.getElementById("jobs-filter").value.trim().toLowerCase().split(/\s+/);
    var state = document.getElementById("jobs-state").value, found = data.jobs.filter(function (job) {
      var name = (data.networks[job[NETWORK]] + " " + job[SIZE] + (job[SIGMA] === null ? " " : " sigma " + job[SIGMA] + " ") +
        data.learners[job[LEARNER]] + " " +
        data.states[job[STATE]] + " " + text(job[MESSAGE])).toLowerCase();
      return (state === "" || (state === "other" ? job[STATE] !== 0 : data.states[job[STATE]] === state)) &&
        wanted.every(function (w) { return name.indexOf(w) >= 0; });
    });
    jobTable(found, data.main, document.getElementById("jobs-found"));
  }

  function setUp() {
    var theme = document.getElementById("theme"), timer = 0;
    function nameTheme() {
      theme.textContent = isDark() ? "Light theme" : "Dark theme";
    }
    data = JSON.parse(document.getElementById("data").textContent);
    nameTheme();
    theme.hidden = false;
    theme.addEventListener("click", function () {
      var next = isDark() ? "light" : "dark";
      root.setAttribute("data-theme", next);
      remember(next);
      nameTheme();
    });
    document.addEventListener("click", function (event) {
      var figure = event.target.closest ? event.target.closest("button.fig") : null;
      var picture = event.target.closest ? event.target.closest("button.zoom") : null;
      if (figure) { showJobs(figure, figure.closest("table")); }
      if (picture) { picture.setAttribute("aria-pressed", String(picture.getAttribute("aria-pressed") !== "true")); }
    });
    document.getElementById("behind-close").addEventListener("click", function () {
      document.getElementById("behind").close();
    });
    Array.prototype.forEach.call(document.querySelectorAll("input.filter"), function (input) {
      var table = document.getElementById(input.getAttribute("aria-controls"));
      input.closest(".tools").hidden = false;
      input.addEventListener("input", function () { filterTable(input, table); });
    });
    document.getElementById("jobs").hidden = false;
    ["jobs-filter", "jobs-state"].forEach(function (id) {
      document.getElementById(id).addEventListener("input", function () {
        window.clearTimeout(timer);
        timer = window.setTimeout(filterJobs, 120);
      });
    });
    document.getElementById("jobs-all").addEventListener("toggle", function (event) {
      if (event.target.open) { filterJobs(); }
    });
  }
  document.addEventListener("DOMContentLoaded", setUp);
}());
