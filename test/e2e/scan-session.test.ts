import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ean13CheckDigit } from '#shared/codes';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { addField, searchForBook, unfold } from './support/add.ts';
import { accessibilityFaults, faultsInEveryLook } from './support/accessibility.ts';
import { ajouterEmplacement } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { expectDisabledOffline } from './support/offline.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

const codes = [1, 2, 3].map((numero) => {
  const digits = `97820900100${numero}`;
  return digits + ean13CheckDigit(digits);
});

/** A household whose catalogues know three volumes of one series. */
const householdWithVolumes = () =>
  householdWithCatalogues({
    intercept: (_request, response, url) => {
      const numero = /^\/isbn\/97820900100(\d)/.exec(url.pathname)?.[1];
      if (numero === undefined) return false;
      const content = { title: `Akira, tome ${numero}`, publish_date: '2020' };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          key: `/books/OL${numero}M`,
          type: { key: '/type/edition' },
          ...content,
        }),
      );
      return true;
    },
  });

/** A household whose catalogues know the first two volumes of each series. */
const householdWithSeries = (series: readonly string[]) =>
  householdWithCatalogues({
    intercept: (_request, response, url) => {
      const [, serie = '', tome = ''] = /^\/isbn\/9782090020(\d)(\d)/.exec(url.pathname) ?? [];
      const titre = series[Number(serie)];
      if (serie === '' || titre === undefined) return false;
      const edition = { key: `/books/OL${serie}${tome}M`, type: { key: '/type/edition' } };
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ ...edition, title: `${titre}, tome ${tome}`, publish_date: '2020' }));
      return true;
    },
  });

/** The summary of the scan session, a link above the form. */
const sum = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('a scan session applies one change to all its books', async () => {
  const { house } = await householdWithVolumes();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Terminer' }).isDisabled()).toBe(true);
  const scan = await deskScanner(page);
  for (const code of codes) await scan(code);
  await page.getByRole('heading', { name: 'Akira, tome 3' }).waitFor();
  await page.getByText('3 livres cette fois', { exact: true }).waitFor();
  await page.getByText('ajouté', { exact: true }).waitFor();
  expect(await accessibilityFaults(page, '/livres/ajouter: a scan session')).toEqual([]);
  await page.getByRole('button', { name: 'Terminer' }).click();
  await page.getByRole('heading', { name: '3 livres ajoutés cette fois.' }).waitFor();
  const offer = page.getByRole('listitem').filter({ hasText: '3 livres, tomes 1 à 3' });
  await offer.waitFor();
  expect(await offer.count()).toBe(1);
  expect(await faultsInEveryLook(page, '/livres/ajouter: the end of a scan session')).toEqual([]);
  await page.getByRole('button', { name: 'Les y mettre' }).click();
  await offer.waitFor({ state: 'detached' });
  const series = (await (await fetch(`${house.url}/api/series`)).json()) as Serie[];
  expect(series.map(({ titre, places }) => [titre, places.map(({ numero }) => numero)])).toEqual([
    ['Akira', ['1', '2', '3']],
  ]);
  const putAll = page.getByRole('button', { name: 'Tout ranger ici' });
  await putAll.click();
  await page.getByText('Indiquez un emplacement.').waitFor();
  const where = page.getByRole('combobox', { name: 'Où ?' });
  await expect.poll(() => where.evaluate((field) => field === document.activeElement)).toBe(true);
  await where.fill('Salon');
  await putAll.click();
  await page.getByText('Rangés, Salon', { exact: true }).waitFor();
  const put = (await (
    await fetch(`${house.url}/api/livres?emplacement=${salon.id}`)
  ).json()) as Livre[];
  expect(put).toHaveLength(3);
  await page.getByRole('main').getByRole('button', { name: 'Annuler' }).press('Enter');
  await putAll.waitFor();
  const response = await fetch(`${house.url}/api/livres?emplacement=${salon.id}`);
  expect(await response.json()).toEqual([]);

  await page.getByRole('button', { name: 'Les sélectionner' }).click();
  await page.getByText('3 livres sélectionnés').waitFor();

  await follow(page, '/livres/ajouter');
  await addField(page).waitFor();
  await page.reload();
  await sum(page, '3 livres cette fois').click();
  await page.getByRole('heading', { name: '3 livres ajoutés cette fois.' }).waitFor();
  await page.getByRole('button', { name: 'Fermer' }).click();
  await addField(page).waitFor();
});

test('a scanned book is confirmed by a sound, shown beside the others’ spines, and can be removed', async () => {
  const { house } = await householdWithVolumes();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    const { prototype } = AudioScheduledSourceNode;
    const start = Reflect.get(prototype, 'start');
    Reflect.set(prototype, 'start', function (this: AudioScheduledSourceNode, when?: number) {
      Reflect.set(globalThis, 'sounds', Number(Reflect.get(globalThis, 'sounds') ?? 0) + 1);
      Reflect.apply(start, this, [when]);
    });
  });
  const page = await phone.open();
  const sounds = () => page.evaluate(() => Reflect.get(globalThis, 'sounds') as unknown);
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await page.getByRole('link', { name: 'Plusieurs à la suite' }).click();
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const [index, code] of codes.entries()) {
    await scan(code);
    await page.getByRole('heading', { name: `Akira, tome ${String(index + 1)}` }).waitFor();
    await page.getByText('ajouté', { exact: true }).waitFor();
  }
  const heard = Number(await sounds());
  expect(heard).toBeGreaterThan(0);
  const spines = page.locator('.soiree .spine');
  await expect.poll(() => spines.count()).toBe(3);
  await page.getByRole('button', { name: 'Annuler : Akira, tome 3' }).click();
  await page.getByText('retiré', { exact: true }).waitFor();
  await expect.poll(() => spines.count()).toBe(2);
  expect(await house.titres()).toEqual(['Akira, tome 1', 'Akira, tome 2']);

  await follow(page, `/rangement/ranger?emplacement=${salon.id}`);
  await page.getByLabel('ISBN ou titre').focus();
  await scan(codes[0] ?? '');
  await page.getByText('1 livre rangé ici', { exact: true }).waitFor();
  // The browser may drop the first sound while its audio starts.
  const soundsByNow = async () => {
    await scan(codes[0] ?? '');
    return sounds();
  };
  await expect.poll(soundsByNow, { interval: 500 }).toBeGreaterThan(heard);
});

test('the end of a scan session proposes three series, and the others when asked', async () => {
  const series = ['Akira', 'Blake et Mortimer', 'Corto Maltese', 'Donjon'];
  const { house } = await householdWithSeries(series);
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const [index] of series.entries())
    for (const tome of [1, 2]) {
      const digits = `9782090020${String(index)}${String(tome)}`;
      await scan(digits + ean13CheckDigit(digits));
    }
  await page.getByText('8 livres cette fois', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Terminer' }).click();
  await page.getByRole('heading', { name: '4 séries les attendent' }).waitFor();
  const offers = page.getByRole('button', { name: /^Les y mettre/ });
  await expect.poll(() => offers.count()).toBe(3);
  await page.getByRole('button', { name: /et 1 autre/ }).click();
  const others = page.getByRole('dialog', { name: 'Autres séries' });
  await expect.poll(() => others.getByRole('button', { name: /^Les y mettre/ }).count()).toBe(1);
});

test('a scan at the end of the scan session counts there', async () => {
  const { house } = await householdWithVolumes();
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  await scan(codes[0] ?? '');
  await page.getByText('1 livre cette fois', { exact: true }).waitFor();
  // Delay the code of the end screen.
  const loaded = Promise.withResolvers<undefined>();
  await page.route('**/_app/immutable/**', async (route) => {
    await loaded.promise;
    await route.continue().catch(() => null);
  });
  await page.getByRole('button', { name: 'Terminer' }).click();
  await page.getByText('1 livre cette fois', { exact: true }).waitFor({ state: 'detached' });
  await scan(codes[1] ?? '');
  loaded.resolve(undefined);
  await page.getByRole('heading', { name: '2 livres ajoutés cette fois.' }).waitFor();
  await scan(codes[2] ?? '');
  await page.getByRole('heading', { name: '3 livres ajoutés cette fois.' }).waitFor();
  await scan('9772917044002');
  await page.getByRole('button', { name: '1 à finir' }).waitFor();
});

test('a title search answers for no scanned code', async () => {
  const { house } = await householdWithVolumes();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  const valueOfTitre = () => page.getByLabel('Titre', { exact: true }).inputValue();
  await expect
    .poll(() => page.getByRole('button', { name: 'Ajouter', exact: true }).isEnabled())
    .toBe(true);
  const scan = await deskScanner(page);
  await scan(codes[0] ?? '');
  await expect.poll(valueOfTitre).toBe('Akira, tome 1');
  await searchForBook(page, 'Un titre que nul ne connaît');
  await page.getByText('Aucun catalogue ne connaît ce titre.').first().waitFor();
  await expect.poll(valueOfTitre).toBe('Un titre que nul ne connaît');
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && new URL(request.url()).pathname === '/api/livres',
  );
  await scan(codes[1] ?? '');
  expect((await sent).postDataJSON()).toMatchObject({ titre: 'Akira, tome 2', isbn: codes[1] });
  await sum(page, '1 livre cette fois').waitFor();
  expect(await valueOfTitre()).toBe('Un titre que nul ne connaît');
});

test('the scan session and the form count its books alike', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const code of ['9782948012017', '9782948012024', '9782070408504', '9782948012253'])
    await scan(code);
  await page.getByText('2 livres cette fois', { exact: true }).waitFor();
  await page.getByText('1 attend son titre, 1 déjà là, 1 à finir', { exact: true }).waitFor();
  await follow(page, '/livres/ajouter');
  await unfold(page);
  await sum(page, '2 livres cette fois, 1 attend son titre, 1 déjà là, 1 à finir').waitFor();
});

test('a book deleted elsewhere leaves the scan session', async () => {
  const { house } = await householdWithVolumes();
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const code of codes) await scan(code);
  await page.getByText('3 livres cette fois', { exact: true }).waitFor();
  const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  const first = livres.find(({ isbn }) => isbn === codes[0]);
  await fetch(`${house.url}/api/livres/${String(first?.id)}`, { method: 'DELETE' });
  await page.getByText('2 livres cette fois', { exact: true }).click();
  await page.getByRole('dialog').getByText('retiré', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('button', { name: 'Terminer' }).click();
  await page.getByRole('heading', { name: '2 livres ajoutés cette fois.' }).waitFor();
});

test('two copies read before their edition is chosen are both added', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const main = page.getByRole('main');
  const scan = await deskScanner(page);
  await scan('9782948012024');
  await page.getByRole('heading', { name: '2 éditions possibles' }).waitFor();
  await scan('9782948012024');
  await main.getByText('lu 2 fois', { exact: true }).waitFor();
  await page.reload();
  await main.getByText('lu 2 fois', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Choisir', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('lu 2 fois', { exact: true }).waitFor();
  await page.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await dialog.getByText('ajouté', { exact: true }).waitFor();
  await dialog.getByText('lu 2 fois', { exact: true }).waitFor();
  const another = dialog.getByRole('button', { name: /^Ajouter un autre exemplaire/ });
  phone.portal.breaks = (method, path) => method === 'POST' && path.startsWith('/api/livres');
  await another.click();
  await dialog.getByRole('alert').waitFor();
  phone.portal.breaks = null;
  expect(await faultsInEveryLook(page, '/livres/ajouter: a code read twice')).toEqual([]);
  await another.click();
  await another.waitFor({ state: 'detached' });
  await dialog.getByText('lu 2 fois', { exact: true }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Fermer' }).click();
  await page.getByText('2 livres cette fois', { exact: true }).waitFor();
  const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  expect(livres.map(({ titre, isbn, editeur }) => ({ titre, isbn, editeur }))).toEqual(
    Array(2).fill({
      titre: 'Le château des Carpathes',
      isbn: '9782948012024',
      editeur: 'Club du livre du soir',
    }),
  );
  // For an added book, a scan of the same code counts its reading, too.
  await scan('9782948012024');
  await main.getByText('lu 2 fois', { exact: true }).waitFor();
});

test('a repeated code that is in the form is reported and counted, and a title typed into the scanner’s field appears in the form', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  await expect
    .poll(() => page.getByRole('button', { name: 'Ajouter', exact: true }).isEnabled())
    .toBe(true);
  const scan = await deskScanner(page);
  await scan('9782948012024');
  await page.getByRole('button', { name: /Club du livre du soir, 2021/ }).waitFor();
  await scan('9782948012024');
  await page.getByText(/est déjà dans la fiche, lu 2 fois\.$/).waitFor();
  await page.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await sum(page, '1 livre cette fois').waitFor();
  await scan('9782948012024');
  await page.getByText(/^Le château des Carpathes\s: lu 3 fois\.$/).waitFor();
  await sum(page, '1 livre cette fois').click();
  await page.getByRole('button', { name: 'Retour au scanner' }).click();
  const another = page.getByRole('button', { name: /^Ajouter un autre exemplaire/ });
  await another.click();
  await page.getByText('2 livres cette fois', { exact: true }).waitFor();
  expect(await house.titres()).toEqual(Array(2).fill('Le château des Carpathes'));

  // A title that is typed at the scanner stands in the form.
  const titre = page.getByLabel('Titre', { exact: true });
  const type = async (time: string) => {
    const field = page.getByRole('textbox', { name: 'ISBN ou titre' });
    await field.fill('Les Contes du chat perché');
    await field.press('Enter');
    await expect
      .poll(() => titre.inputValue(), { message: time })
      .toBe('Les Contes du chat perché');
    const hasFocus = () => titre.evaluate((each) => each === document.activeElement);
    await expect.poll(hasFocus, { message: time }).toBe(true);
  };
  await type('the first time');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expect.poll(() => titre.inputValue()).toBe('');
  await follow(page, '/livres/ajouter?scanner=etagere');
  await type('again');
});

test('codes that wait go on after a reload', async () => {
  const answered = Promise.withResolvers<undefined>();
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await expect
    .poll(() => page.getByRole('button', { name: 'Ajouter', exact: true }).isEnabled())
    .toBe(true);
  let isHeld = true;
  await page.route('**/api/recherche-isbn/*', async (route) => {
    if (isHeld) await answered.promise;
    await route.continue().catch(() => null);
  });
  const scan = await deskScanner(page);
  const scanned = ['9782948012017', '9782948012031', '9782948012048'];
  for (const code of scanned) await scan(code);
  await sum(page, '2 en attente').waitFor();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  isHeld = false;
  answered.resolve(undefined);
  await sum(page, '2 livres cette fois').waitFor();
  // The code that the form was looking up is still there.
  const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  const inForm = await page.getByLabel('ISBN, titre ou auteur').inputValue();
  expect([...livres.map(({ isbn }) => isbn), inForm].sort()).toEqual(scanned);
});

test('a code kept beside a form offline is asked later', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  const save = page.getByRole('button', { name: 'Ajouter', exact: true });
  await expect.poll(() => save.isEnabled()).toBe(true);
  await phone.cutNetwork();
  await expect.poll(() => save.isEnabled()).toBe(false);
  const scan = await deskScanner(page);
  await scan('9782948012024');
  await page.getByLabel('Titre', { exact: true }).fill('Écrit à la main');
  await page.getByLabel('ISBN, titre ou auteur').focus();
  await scan('9782948012161');
  await sum(page, '1 à finir').waitFor();
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Écrit à la main');
  await phone.restoreNetwork();
  await sum(page, '1 livre cette fois').waitFor();
  expect(await house.titres()).toEqual(["Han d'Islande"]);
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Écrit à la main');
});

test('codes scanned without a network are looked up later, and an addition cannot be undone without one', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  await phone.cutNetwork();
  await page.getByRole('status').getByText('Hors ligne').waitFor();
  const scan = await deskScanner(page);
  await scan('9782948012161');
  await page.getByText('Les catalogues ne répondent pas. Le code est gardé.').waitFor();
  await phone.restoreNetwork();
  await page.getByRole('heading', { name: "Han d'Islande" }).waitFor();
  await page.getByText('ajouté', { exact: true }).waitFor();
  await page.getByRole('status').getByText('Hors ligne').waitFor({ state: 'detached' });

  // What was added stays while there is no network.
  await phone.cutNetwork();
  await page.getByRole('button', { name: /livre cette fois/ }).click();
  await expectDisabledOffline(page, ["Retirer « Han d'Islande »"]);
});

test('a form begun in version 1.0 is finished', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    // Firefox opens a tab with a blank page, whose storage is not accessible.
    if (document.URL === 'about:blank') return;
    const line = { code: '9782948012253', kind: 'begun', texts: { titre: 'À nous seuls' } };
    const texts = { lines: JSON.stringify([line]) };
    localStorage.setItem(
      'rayonnage.draft|alice|scans',
      JSON.stringify({ texts, seen: {}, date: Date.now() }),
    );
  });
  const page = await phone.open('/livres/ajouter');
  await sum(page, '1 à finir').click();
  await page.getByRole('button', { name: '1 à finir' }).click();
  await page.getByRole('link', { name: 'Compléter' }).click();
  const valueOf = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  await expect.poll(() => addField(page).inputValue()).toBe('9782948012253');
  expect(await valueOf('Titre')).toBe('À nous seuls');
});

test('a scan session of more than a thousand books is put away at once, and taken back', async () => {
  const { house } = await householdWithCatalogues();
  await ajouterEmplacement(house, { nom: 'Salon' });
  const count = 1_002;
  await house.rewrite((tx) => {
    for (let i = 0; i < count; i++) {
      const titre = `livre ${String(i)}`;
      tx.run(
        `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
         VALUES (?, ?, ?, 'Physique', '2026-01-01T00:00:00.000Z')`,
        titre,
        titre,
        titre,
      );
    }
  });
  const phone = await device(house);
  await phone.context.addInitScript((length) => {
    if (document.URL === 'about:blank' || localStorage.getItem('begun') !== null) return;
    localStorage.setItem('begun', 'yes');
    for (let livreId = 1; livreId <= length; livreId++) {
      const line = { code: '', date: Date.now() + livreId, kept: { kind: 'added', livreId } };
      localStorage.setItem(`rayonnage.scan|alice|scans|${String(livreId)}`, JSON.stringify(line));
    }
  }, count);
  const page = await phone.open('/livres/ajouter?scanner=fin');
  await page.getByRole('heading', { name: /1.002 livres ajoutés cette fois/ }).waitFor();
  const sent: number[] = [];
  page.on('request', (request) => {
    const body: unknown = request.url().endsWith('/api/livres/lot') ? request.postDataJSON() : null;
    if (body !== null) sent.push((body as { ids: number[] }).ids.length);
  });
  await page.getByRole('combobox', { name: 'Où ?' }).fill('Salon');
  await page.getByRole('button', { name: 'Tout ranger ici' }).click();
  await page.getByText('Rangés, Salon', { exact: true }).waitFor();
  const standing = async () => {
    const livres = await fetch(`${house.url}/api/livres?emplacement=1&limite=1`);
    return Number(livres.headers.get('x-total-count'));
  };
  expect(sent).toEqual([1_000, 2]);
  await expect.poll(standing).toBe(count);
  await page.getByRole('main').getByRole('button', { name: 'Annuler' }).click();
  await page.getByRole('button', { name: 'Tout ranger ici' }).waitFor();
  await expect.poll(standing).toBe(0);
});

test('a copy that the form adds leaves the line of the book that was there', async () => {
  const [isbn = ''] = codes;
  const { house } = await householdWithVolumes();
  await house.ajouter({ titre: 'Akira', isbn });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  await (
    await deskScanner(page)
  )(isbn);
  await page
    .getByText(/déjà dans la bibliothèque/)
    .first()
    .waitFor();
  await follow(page, '/livres/ajouter');
  await searchForBook(page, isbn);
  await page.getByRole('button', { name: 'Autre exemplaire' }).click();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await sum(page, '1 livre cette fois, 1 déjà là').waitFor();
});
