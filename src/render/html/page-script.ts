/**
 * Script of a page. It filters rows, and fills in the picture of a row when it is opened, so that a page with a thousand rows loads at once.
 * It accesses nothing except the page.
 */
export const PAGE_SCRIPT = `(() => {
  'use strict';
  const rows = [...document.querySelectorAll('li.row')];
  const form = document.querySelector('form');
  const status = document.getElementById('shown');
  const empty = document.getElementById('empty');
  const textByRow = new Map(rows.map((row) => [row, row.querySelector('summary').textContent.toLowerCase()]));
  const fill = (details) => {
    const template = details.querySelector('template');
    if (template) template.replaceWith(template.content);
  };
  const filter = () => {
    const selects = [...form.querySelectorAll('select')].filter((select) => select.value !== '');
    const text = form.elements.text.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits =
        (text === '' || textByRow.get(row).includes(text)) &&
        selects.every((select) => (' ' + (row.getAttribute('data-' + select.name) ?? '') + ' ').includes(' ' + select.value + ' '));
      row.hidden = !fits;
      if (fits) count++;
    }
    status.textContent = count + ' of ' + rows.length + ' shown';
    empty.hidden = count > 0;
  };
  if (form) {
    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', () => setTimeout(filter));
    for (const share of document.querySelectorAll('.shares button')) {
      share.addEventListener('click', () => {
        form.reset();
        const select = form.elements[share.dataset.name];
        if (select) select.value = share.dataset.value;
        setTimeout(() => { filter(); form.scrollIntoView({ block: 'start' }); });
      });
    }
  }
  document.addEventListener('toggle', (event) => { if (event.target.open) fill(event.target); }, true);
  const summaries = () => rows.filter((row) => !row.hidden).map((row) => row.querySelector('summary'));
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/' && !isTyping && form) { event.preventDefault(); form.elements.text.focus(); return; }
    if (event.key === 'Escape' && event.target === form?.elements.text) { form.reset(); return; }
    const step = event.key === 'ArrowDown' || event.key === 'j' ? 1 : event.key === 'ArrowUp' || event.key === 'k' ? -1 : 0;
    if (step === 0 || isTyping || event.target.tagName !== 'SUMMARY') return;
    const all = summaries();
    const next = all[all.indexOf(event.target) + step];
    if (next) { event.preventDefault(); next.focus(); next.scrollIntoView({ block: 'nearest' }); }
  });
  addEventListener('beforeprint', () => { for (const fold of document.querySelectorAll('.fold')) fold.open = true; for (const row of rows) if (!row.hidden) { const details = row.querySelector('details'); fill(details); details.open = true; } });
})();`;
