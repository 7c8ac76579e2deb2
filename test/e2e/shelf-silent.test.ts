import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { atLeastOne } from '../support/at-least-one.ts';
import { addField, unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { feedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { codesOf } from './support/scan-codes.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

const WAIT = { timeout: 60_000 };
const COUNT = 12;

test('a shelf scanned while catalogues are silent is kept', async () => {
  const codes = codesOf(COUNT);
  let isSilent = false;
  const asked: string[] = [];
  const { house } = await householdWithCatalogues({
    intercept: (_request, response, url) => {
      const isbn = /^\/isbn\/(97820900\d{5})/.exec(url.pathname)?.[1];
      asked.push(url.pathname);
      if (isSilent) response.writeHead(503).end();
      else if (isbn === undefined) return false;
      else {
        const edition = { key: `/books/OL${isbn}M`, type: { key: '/type/edition' } };
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(
          JSON.stringify({
            ...edition,
            title: `Volume ${isbn}`,
            publishers: ['Météores'],
            number_of_pages: 538,
          }),
        );
      }
      return true;
    },
  });
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  const [known = '', ...unknown] = codes;
  await scan(known);
  await page.getByText('ajouté', { exact: true }).waitFor(WAIT);
  isSilent = true;
  asked.length = 0;
  for (const code of unknown) await scan(code);
  // Nothing interrupts the scans: each code is stored.
  await page.getByText(`${COUNT} livres cette fois`, { exact: true }).waitFor(WAIT);
  await page.getByText('Les catalogues ne répondent pas. Le code est gardé.').waitFor(WAIT);
  const title = page.getByRole('heading', { level: 2 });
  const { height: lineHeight = 0 } = (await title.boundingBox()) ?? {};
  expect(lineHeight, 'a code in one line').toBeLessThan(48);
  // Two parallel requests, and none after two timeouts: at most three attempts each.
  expect(asked.length).toBeLessThanOrEqual(12);
  expect(
    await accessibilityFaults(page, '/livres/ajouter: a scan session of unknown codes'),
  ).toEqual([]);
  const livres = async () => (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  const isbns = async () => (await livres()).map(({ isbn }) => isbn).sort();
  await expect.poll(isbns, WAIT).toEqual(codes.toSorted());
  await page.getByText(`${unknown.length} attendent leur titre`, { exact: true }).waitFor(WAIT);
  await page.getByRole('button', { name: 'Terminer' }).click();
  await page.getByRole('heading', { name: `${COUNT} livres ajoutés cette fois.` }).waitFor();
  await page.getByRole('link', { name: 'attendent leur titre' }).waitFor();

  await follow(page, '/importer/a-completer');
  await page
    .getByRole('heading', { name: `${unknown.length} livres gardés par leur ISBN` })
    .waitFor();
  expect(
    await accessibilityFaults(page, '/importer/a-completer: books known by their ISBN'),
  ).toEqual([]);
  const first = (await livres()).find(({ isbn }) => isbn === unknown[0]);
  const code = first?.isbnAffiche ?? '';
  await page.getByLabel(`Titre de ${code}`).fill('Le Rivage des Syrtes');
  await page.getByLabel(`Auteurs de ${code}`).fill('Julien Gracq ; Un autre');
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await page
    .getByRole('heading', { name: `${unknown.length - 1} livres gardés par leur ISBN` })
    .waitFor();
  const added = (await livres()).find(({ isbn }) => isbn === first?.isbn);
  expect(added?.titre).toBe('Le Rivage des Syrtes');
  expect(added?.auteurs.map(({ nom }) => nom)).toEqual(['Julien Gracq', 'Un autre']);

  const ebook = (await livres()).find(({ titre }) => codes.includes(titre));
  await fetch(`${house.url}/api/livres/${String(ebook?.id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ titre: ebook?.titre, isbn: ebook?.isbn, format: 'Numerique' }),
  });
  // On any screen, and without a message in the bar.
  isSilent = false;
  await page.goto(phone.portal.url);
  const volumes = async () =>
    (await livres()).filter(({ titre }) => titre.startsWith('Volume ')).length;
  await expect.poll(volumes, WAIT).toBe(COUNT - 1);
  expect(await feedback(page).getByRole('button', { name: 'Annuler' }).count()).toBe(0);
  await follow(page, '/importer/a-completer');
  await page
    .getByText(`${unknown.length - 1} livres complétés tout seuls`, { exact: true })
    .waitFor();
  const pages = (await livres()).filter(({ titre }) => titre.startsWith('Volume '));
  for (const { id, nombrePages } of atLeastOne(pages))
    expect(nombrePages, String(id)).toBe(id === ebook?.id ? null : 538);
  const filled = page.getByRole('list', { name: 'Complétés d’après les catalogues' });
  await filled
    .getByText(/^à\s\d+\sh\s\d\d$/)
    .first()
    .waitFor();
  expect(await filled.getByRole('listitem').count()).toBe(unknown.length - 1);
  expect(await accessibilityFaults(page, '/importer/a-completer: books that were filled')).toEqual(
    [],
  );

  // Codes from an earlier day are in the history only.
  await page.evaluate(() => {
    const earlier = (ms: string) => String(Number(ms) - 24 * 60 * 60 * 1000);
    for (const [key, text] of Object.entries(localStorage))
      if (key.endsWith('complements.filled'))
        localStorage.setItem(key, String(text).replaceAll(/(?<="atMs":)\d+/g, earlier));
  });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'À compléter' }).waitFor();
  expect(await filled.count()).toBe(0);
});

test('silence keeps codes that a form has no room for', async () => {
  const codes = codesOf(6);
  const { house } = await householdWithCatalogues({
    intercept: (_request, response) => {
      response.writeHead(503).end();
      return true;
    },
  });
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  const online = () => page.getByRole('button', { name: "Rechercher l'ISBN" }).isEnabled();
  await expect.poll(online).toBe(true);
  const scan = await deskScanner(page);
  for (const code of codes) await scan(code);
  await page
    .getByRole('link', { name: '5 livres cette fois, 5 attendent leur titre', exact: true })
    .waitFor(WAIT);
  const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  const inForm = await addField(page).inputValue();
  expect([...livres.map(({ isbn }) => isbn), inForm].toSorted()).toEqual(codes);
});

test('late answers change no code that was kept meanwhile', async () => {
  const codes = codesOf(6);
  const { upstream, house } = await householdWithCatalogues({ delayMs: 4_000 });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    const isAddition = request.method() === 'POST' && request.url().includes('/api/livres');
    if (isAddition) sent.push(request.postData() ?? '');
  });
  for (const code of codes) await scan(code);
  const added = page.getByText('6 livres cette fois', { exact: true });
  await added.waitFor(WAIT);
  await expect.poll(async () => (await house.titres()).length, WAIT).toBe(6);
  const { requests, delays } = upstream;
  await expect.poll(() => requests.length - delays.length, WAIT).toBe(0);
  expect(await added.isVisible()).toBe(true);
  const resent = codes.filter((code) => sent.some((body) => body.includes(code)));
  expect(sent, 'each code is sent once').toHaveLength(resent.length);
  const titledByCode = sent.filter((body) => /"titre":"97[89]-/.test(body));
  expect(titledByCode.length, 'all that waited are kept').toBeGreaterThan(1);
});
