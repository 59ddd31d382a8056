// Sorts tables by a click on a column's name, hides what is not looked for, and copies commands.
(() => {
  for (const controls of document.querySelectorAll('.controls')) controls.hidden = false;

  for (const button of document.querySelectorAll('[data-copy]')) {
    const command = button.parentElement.querySelector('code');
    button.hidden = false;
    button.onclick = async () => {
      getSelection().selectAllChildren(command);
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = 'Copied';
      } catch {
        // Where pages have no clipboard, the command stays selected.
        button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
      }
    };
  }

  const value = (unit, column) => {
    const cell = (unit.rows ? unit.rows[0] : unit).cells[column];
    const text = (cell?.dataset.key ?? cell?.textContent ?? '').trim();
    const number = Number(text.replace('−', '-'));
    return text === '' || text === 'null' ? null : Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));

  for (const table of document.querySelectorAll('table.sortable')) {
    const isGrouped = 'groups' in table.dataset;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if ('unsorted' in head.dataset) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.onclick = () => {
        const falls = head.getAttribute('aria-sort') === 'ascending';
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
        const units = [...(isGrouped ? table.tBodies : table.tBodies[0].rows)];
        const keyed = units.map((unit) => [value(unit, column), unit]);
        // What has no value comes last in both directions.
        keyed.sort(([a], [b]) =>
          a === null || b === null ? (a === null) - (b === null) : falls ? compare(b, a) : compare(a, b));
        (isGrouped ? table : table.tBodies[0]).append(...keyed.map(([, unit]) => unit));
      };
    });
  }

  const find = (what) => document.querySelector(`[data-find=${what}]`);
  const [name, verdict] = [find('ensemble'), find('verdict')];
  const lines = [...document.querySelectorAll('tr[data-ensemble]')];
  const filterEnsembles = () => {
    let shown = 0;
    for (const line of lines) {
      const section = document.getElementById(line.dataset.ensemble);
      const { text, verdict: is } = section?.dataset ?? { text: line.textContent, verdict: '' };
      const fits = text.toLowerCase().includes(name.value.trim().toLowerCase())
        && (verdict.value === '' || verdict.value === is);
      line.hidden = !fits;
      if (section) section.hidden = !fits;
      shown += fits;
    }
    name.closest('.controls').querySelector('[data-count]').textContent =
      shown < lines.length ? `${shown} of ${lines.length} shown` : '';
  };
  if (name) name.oninput = verdict.onchange = filterEnsembles;

  for (const controls of document.querySelectorAll('details > .controls')) {
    const groups = [...controls.parentElement.querySelectorAll('tbody')];
    const choices = [...controls.querySelectorAll('[data-filter]')];
    controls.onchange = () => {
      let shown = 0;
      for (const group of groups) {
        group.hidden = choices.some(({ value, dataset }) =>
          value !== '' && !group.dataset[dataset.filter].split(' ').includes(value));
        shown += !group.hidden;
      }
      controls.querySelector('[data-count]').textContent =
        shown < groups.length ? `${shown} of ${groups.length} cases shown` : '';
    };
  }
})();
