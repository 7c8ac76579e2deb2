import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { download, unzip } from './support.ts';

/** The page in an archive of a household with a book and two wishes of Ana's, downloaded by this reader. */
async function pageOf(utilisateur: string | null) {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Nadja', format: 'Physique' });
  for (const titre of ['Ubik', 'Solaris'])
    await house.ask('ana', 'POST', '/api/souhaits', { titre });
  const files = await unzip((await download(house, '/api/export.zip', utilisateur)).bytes);
  const { date } = JSON.parse(files.get('rayonnage.json') ?? '') as { date: string };
  return { page: files.get('LISEZ-MOI.html') ?? '', date };
}

test('a page in the archive lists its contents', async () => {
  const { page, date } = await pageOf('ana');
  expect(page).toMatch(/^<!doctype html>\n<html lang="fr">/);
  const day = date.slice(0, 10);
  expect(page).toContain(
    `<p>Fait le <time datetime="${date}">${day}</time>. Ce qui est personnel est à ana, et à personne d’autre.</p>`,
  );
  expect(page).toContain(`<ul>
<li><code>livres.csv</code> : un livre par ligne, et une ligne de plus par relecture, pour un tableur</li>
<li><code>goodreads.csv</code> : les mêmes, dans les colonnes de Goodreads</li>
<li><code>livres.bib</code> : les mêmes, pour une bibliographie en BibTeX</li>
<li><code>livres.ris</code> : les mêmes, pour une bibliographie en RIS</li>
</ul>`);
  const cells = [...page.matchAll(/<tr><td><code>json\/(.*?)\.json<\/code><\/td>(.*?)<\/tr>/g)];
  expect(cells.map(([, kind, rest]) => [kind, rest])).toEqual(
    expect.arrayContaining([
      ['auteurs', '<td>0</td><td>les auteurs</td>'],
      [
        'livres',
        '<td>1</td><td>les livres, avec tous leurs prêts, rendus compris, et mon statut de lecture</td>',
      ],
      ['souhaits', '<td>2</td><td>ma liste de souhaits</td>'],
    ]),
  );
  expect(page).toMatch(/<table><tr>.*<\/tr>(?:\n<tr>.*<\/tr>)+<\/table>\n/);
});

test('the page says that an unknown person’s archive is shared', async () => {
  const shared = (await pageOf(null)).page;
  expect(shared).toContain('Seul ce qui est partagé s’y trouve : personne n’était identifié.</p>');
  expect(shared).toContain('<td>0</td><td>ma liste de souhaits</td>');
});

test('a name is never a part of the page’s markup', async () => {
  expect((await pageOf('<b>"A" & B</b>')).page).toContain(
    'est à &#60;b&#62;&#34;A&#34; &#38; B&#60;/b&#62;, et à personne d’autre.',
  );
});
