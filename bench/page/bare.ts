import Dexie from 'dexie';
import type { LivreDocument } from '#shared/livres';
import { normaliser } from '#shared/text';

/** A lower bound for a screen of books: rows of plain text, and a search by `includes`. */
const inPage = { start, keystrokes };
export { inPage as bare };

declare global {
  var bare: typeof inPage;
}

const ROW_HEIGHT = 72;

async function start(): Promise<number> {
  const begin = performance.now();
  const raw = await new Dexie('raw').open();
  const [livres = []] = await Promise.all(
    ['livres', ...raw.tables.map(({ name }) => name).filter((name) => name !== 'livres')].map(
      (name) => raw.table<LivreDocument>(name).toArray(),
    ),
  );
  livres.sort((a, b) => (a.titreNormalise < b.titreNormalise ? -1 : 1));
  listOf(livres);
  await painted();
  raw.close();
  return performance.now() - begin;
}

async function keystrokes(
  livres: readonly LivreDocument[],
  searches: readonly string[],
): Promise<number[]> {
  const show = listOf(livres);
  const texts = livres.map(({ titreNormalise, auteurs }) =>
    [titreNormalise, ...auteurs.map(({ nom }) => normaliser(nom))].join('\n'),
  );
  const times: number[] = [];
  for (const search of searches)
    for (let length = 1; length <= search.length; length++) {
      await new Promise(requestAnimationFrame);
      const begin = performance.now();
      const words = normaliser(search.slice(0, length)).split(' ');
      show(livres.filter((_, i) => words.every((word) => texts[i]?.includes(word))));
      document.body.getBoundingClientRect();
      times.push(performance.now() - begin);
    }
  return times;
}

function listOf(livres: readonly LivreDocument[]): (shown: readonly LivreDocument[]) => void {
  const list = document.createElement('div');
  const rows = Array.from({ length: Math.ceil(innerHeight / ROW_HEIGHT) }, () => {
    const row = document.createElement('a');
    row.style.cssText = `display: block; height: ${String(ROW_HEIGHT)}px`;
    row.append(document.createElement('b'), document.createElement('p'));
    return row;
  });
  list.append(...rows);
  document.body.replaceChildren(list);
  const show = (shown: readonly LivreDocument[]) => {
    list.style.height = `${String(shown.length * ROW_HEIGHT)}px`;
    rows.forEach((row, i) => {
      const livre = shown[i];
      row.hidden = livre === undefined;
      const [titre, auteurs] = row.children;
      if (titre) titre.textContent = livre?.titre ?? '';
      if (auteurs) auteurs.textContent = livre?.auteurs.map(({ nom }) => nom).join(', ') ?? '';
    });
  };
  show(livres);
  return show;
}

const painted = (): Promise<unknown> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = resolve;
      after.port2.postMessage(null);
    });
  });
