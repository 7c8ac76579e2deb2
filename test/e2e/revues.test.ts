import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { addField, searchForBook, unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterNumero, ajouterRevue, lireNumeros, listerRevues } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

test('a periodical comes with its first issue, then the next', async () => {
  const house = await household();
  const phone = await device(house);
  const posts: string[] = [];
  phone.context.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
  });
  const page = await phone.open('/revues');
  await page.getByText('Pas encore de revues').waitFor();
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await page.getByLabel('Titre', { exact: true }).fill('Pour la Science');
  await page.getByLabel('ISSN', { exact: true }).fill('0153 4092');
  await page.getByLabel('Numéro', { exact: true }).fill('412');
  await page.getByLabel('Date').fill('novembre 2026');
  await page.getByRole('combobox', { name: 'Thèmes' }).fill('Astronomie;');
  await page
    .getByRole('textbox', { name: 'Articles' })
    .fill('Pluton, la déchue ; Mars, et après; Vénus');
  const cover = page.getByLabel('Adresse de la couverture');
  await cover.fill('ceci n’est pas une adresse');
  await save(page);
  await expect.poll(() => cover.getAttribute('aria-invalid')).toBe('true');
  expect(await listerRevues(house)).toEqual([]);
  await cover.fill('');
  await save(page);
  await page.getByRole('link', { name: 'N° 412' }).waitFor();
  expect(posts).toEqual(['/api/revues/numeros']);

  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await expect.poll(() => page.getByLabel('Numéro', { exact: true }).inputValue()).toBe('413');
  const themes = page.getByRole('combobox', { name: 'Thèmes' });
  await themes.pressSequentially('astro');
  await page.getByRole('option', { name: /Astronomie/, selected: true }).waitFor();
  await themes.press('Enter');
  await themes.pressSequentially('ASTRONOMIE');
  await themes.press('Enter');
  await page.getByLabel('À la une').fill('Les poulpes');
  await save(page);
  await page.getByRole('link', { name: 'N° 413' }).waitFor();

  const [revue] = await listerRevues(house);
  if (revue === undefined) throw new Error('no periodical was added');
  expect(revue.issn).toBe('0153-4092');
  const numeros = await lireNumeros(house, revue);
  expect(numeros.map(({ numero, date, themes: t }) => [numero, date, t])).toEqual([
    ['412', '2026-11', ['Astronomie']],
    ['413', null, ['Astronomie']],
  ]);
  expect(numeros[0]?.articles).toEqual(['Pluton, la déchue', 'Mars, et après', 'Vénus']);
});

test('a periodical’s scanned code leads to its issue form', async () => {
  const house = await household();
  const revue = await ajouterRevue(house, { titre: 'La Hulotte', issn: '0337-2154' });
  await ajouterNumero(house, revue, { numero: 'HS 3' });
  const nature = await ajouterRevue(house, { titre: 'Nature' });
  await ajouterNumero(house, nature, { numero: '12' });
  const page = await (await device(house)).open('/revues/ajouter?issn=0337-2154&titre=Hulotte');
  await page.waitForURL(new RegExp(`/revues/${String(revue.id)}/numeros/ajouter$`));
  await expect.poll(() => page.getByLabel('Numéro', { exact: true }).inputValue()).toBe('HS 4');

  const issn = '0153-4092';
  await follow(page, `/revues/ajouter?issn=${issn}&titre=Pour+la+Science`);
  await expect
    .poll(() => page.getByLabel('Titre', { exact: true }).inputValue())
    .toBe('Pour la Science');
  expect(await page.getByLabel('ISSN', { exact: true }).inputValue()).toBe(issn);
  await page.getByLabel('Numéro', { exact: true }).fill('560');
  await save(page);
  await page.getByRole('link', { name: 'N° 560' }).waitFor();

  await follow(page, '/revues/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('Une autre');
  await page.getByLabel('ISSN', { exact: true }).fill('0337-2155');
  await save(page);
  await page.getByText('Le dernier caractère ne correspond pas').waitFor();
  await page.getByLabel('Titre', { exact: true }).fill('nature');
  await page.getByLabel('ISSN', { exact: true }).fill('');
  await page.getByText(/est déjà dans la bibliothèque/).waitFor();
  const numero = page.getByLabel('Numéro', { exact: true });
  await expect.poll(() => numero.inputValue()).toBe('13');
  await numero.fill('12');
  await page.getByLabel('Articles').fill(' ; ; ');
  await page.getByLabel('Date').fill('bientôt');
  await save(page);
  await page.getByText('Écrivez un titre entre les points-virgules.').waitFor();
  await page.getByText(/Un jour, un mois, une saison ou une année/).waitFor();
  await page.getByLabel('Articles').fill('');
  await page.getByLabel('Date').fill('');
  await save(page);
  await page.getByText('Cette revue a déjà un numéro 12.').waitFor();
  expect(await numero.getAttribute('aria-invalid')).toBe('true');
  expect(await lireNumeros(house, nature)).toHaveLength(1);
});

test.each(['/numeros/ajouter', '?ajouter'])(
  'the next issue is proposed after a reload, too: %s',
  async (form) => {
    const house = await household();
    const revue = await ajouterRevue(house, { titre: 'La Hulotte' });
    await ajouterNumero(house, revue, { numero: '112' });
    const page = await (await device(house)).open(`/revues/${String(revue.id)}${form}`);
    const numero = page.getByLabel('Numéro', { exact: true });
    for (const turn of ['by its address', 'after a reload', 'after another']) {
      await expect.poll(() => numero.inputValue(), { message: turn }).toBe('113');
      // A suggested value is no draft.
      expect(await page.getByText('Brouillon repris').count(), turn).toBe(0);
      await page.reload();
    }
  },
);

test('an issue is read, edited and deleted', async () => {
  const house = await household();
  const revue = await ajouterRevue(house, { titre: 'La Hulotte' });
  const { id } = await ajouterNumero(house, revue, {
    numero: '112',
    date: '2026-11-20',
    articles: ['Le lierre, mode d’emploi', 'La mésange'],
    themes: ['oiseaux'],
  });
  const page = await (await device(house)).open(`/revues/${String(revue.id)}`);
  await page.getByRole('link', { name: 'N° 112' }).click();
  const article = page.getByRole('article', { name: 'N° 112' });
  await article.getByText('20 novembre 2026').waitFor();
  await article.getByRole('button', { name: 'Modifier' }).click();
  const articles = page.getByRole('textbox', { name: 'Articles' });
  expect(await articles.inputValue()).toBe('Le lierre, mode d’emploi ; La mésange');
  await articles.fill('Le lierre, mode d’emploi');
  await page.getByLabel('Résumé').fill('Tout sur le lierre.');
  await save(page);
  await page.getByText('Tout sur le lierre.').waitFor();
  expect((await lireNumeros(house, revue))[0]?.articles).toEqual(['Le lierre, mode d’emploi']);

  await page.getByRole('button', { name: 'Supprimer' }).click();
  await page.getByText('Aucun numéro', { exact: true }).waitFor();
  await page.getByText('Numéro supprimé : La Hulotte n° 112').waitFor();
  await page.getByRole('button', { name: 'Supprimer' }).click();
  await page.getByText('Pas encore de revues').waitFor();
  await follow(page, `/revues/${String(revue.id)}/numeros/${String(id)}`);
  await page.getByRole('heading', { name: /^Numéro supprimé.*La Hulotte/ }).waitFor();
});

test('a search goes through all issues of a theme', async () => {
  const house = await household();
  const science = await ajouterRevue(house, { titre: 'Pour la Science' });
  const nature = await ajouterRevue(house, { titre: 'La Hulotte' });
  await ajouterNumero(house, science, { numero: '559', date: '2026-10', une: 'Les poulpes' });
  await ajouterNumero(house, science, {
    numero: '560',
    date: '2026-11',
    une: 'Les volcans',
    themes: ['Climat'],
    articles: ['L’œil du poulpe'],
  });
  await ajouterNumero(house, nature, { numero: '112', themes: ['climat', 'oiseaux'] });
  const phone = await device(house);
  const page = await phone.open('/revues');
  await page.getByRole('link', { name: 'La Hulotte' }).waitFor();
  const links = () => page.getByRole('list', { name: 'Numéros' }).getByRole('link').allInnerTexts();
  const search = async () => {
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill('SCIENCE poulpe');
    await expect
      .poll(links)
      .toEqual(['Pour la Science, n°\u00a0560', 'Pour la Science, n°\u00a0559']);
    await page.getByLabel('Thème').selectOption({ label: 'Climat (2)' });
    await expect.poll(links).toEqual(['Pour la Science, n°\u00a0560']);
  };
  await search();
  // Each issue shows the line that matched.
  const row = page.getByRole('list', { name: 'Numéros' }).getByRole('listitem');
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('science');
  await row.getByText('Les volcans').waitFor();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('oeil');
  await row.getByText('L’œil du poulpe').waitFor();
  expect(await row.locator('mark').allInnerTexts()).toEqual(['œil']);
  await expect.poll(links).toEqual(['Pour la Science, n°\u00a0560']);
  await page.waitForURL(/recherche=oeil/);
  await page.reload();
  await expect.poll(links).toEqual(['Pour la Science, n°\u00a0560']);
  await page.goBack();
  await page.getByLabel('Thème').selectOption('');
  await follow(page, `/revues/${String(science.id)}`);
  await page.getByRole('link', { name: 'N° 559' }).waitFor();

  await phone.cutNetwork();
  const addButton = page.getByRole('button', { name: 'Ajouter', exact: true });
  await expect.poll(() => addButton.isDisabled()).toBe(true);
  const reasonId = await addButton.getAttribute('aria-describedby');
  await page
    .locator(`#${reasonId ?? 'sans-reasonId'}`)
    .getByText(/Hors ligne/)
    .waitFor();
  await follow(page, '/revues');
  await search();
});

test('a scanned periodical leads from « Ajouter » to its screen', async () => {
  const { house } = await householdWithCatalogues();
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  const search = page.getByRole('button', { name: "Rechercher l'ISBN" });
  await expect.poll(() => search.isEnabled()).toBe(true);
  const scan = await deskScanner(page);
  await scan('9772917044002');
  await page.waitForURL(/\/revues\/ajouter\?issn=2917-0443&titre=/);
  await expect
    .poll(() => page.getByLabel('Titre', { exact: true }).inputValue())
    .toBe('Cahiers du rivage');
  expect(await page.getByLabel('ISSN', { exact: true }).inputValue()).toBe('2917-0443');
  await page.getByLabel('Numéro', { exact: true }).fill('7');
  await save(page);
  await page.getByRole('link', { name: 'N° 7' }).waitFor();

  await follow(page, '/livres/ajouter');
  await unfold(page);
  await expect.poll(() => search.isEnabled()).toBe(true);
  await searchForBook(page, '9772917044002');
  await page.getByRole('heading', { name: 'Cahiers du rivage', exact: true }).waitFor();
  const numero = page.getByLabel('Numéro', { exact: true });
  expect(await numero.inputValue()).toBe('8');
  expect(await accessibilityFaults(page, '/livres/ajouter: a known periodical')).toEqual([]);
  await page.getByRole('button', { name: 'Ajouter ce numéro' }).click();
  await page.getByRole('link', { name: 'N° 8' }).waitFor();
  await expect.poll(() => numero.inputValue()).toBe('9');
  await page.goBack();
  await expect.poll(() => addField(page).inputValue()).toBe('');
});

test('a second ISSN is given, and either edition’s scanned code leads to the periodical', async () => {
  const { house } = await householdWithCatalogues();
  const autre = await ajouterRevue(house, { titre: 'La Hulotte', issn: '0337-2154' });
  const revue = await ajouterRevue(house, { titre: 'Pour la Science', issn: '0153-4092' });
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open(`/revues/${String(revue.id)}`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  const second = page.getByLabel('Second ISSN', { exact: true });
  await page.getByText('Une édition imprimée et une édition en ligne').waitFor();
  await second.fill('2917-0444');
  await save(page);
  await page.getByText('Le dernier caractère ne correspond pas').waitFor();
  expect(await second.getAttribute('aria-invalid')).toBe('true');
  await second.fill('0337-2154');
  await save(page);
  await page.getByText('Cet ISSN est déjà celui de la revue La Hulotte.').waitFor();
  expect(await second.getAttribute('aria-invalid')).toBe('true');
  const first = page.getByLabel('ISSN', { exact: true });
  expect(await first.getAttribute('aria-invalid')).not.toBe('true');
  expect(await accessibilityFaults(page, '/revues/[id]/modifier: an ISSN that is taken')).toEqual(
    [],
  );
  // The barcode of a cover is converted.
  await second.fill('9772917044002');
  await save(page);
  await page.getByText('ISSN 0153-4092').waitFor();
  await page.getByText('ISSN 2917-0443').waitFor();
  expect(await listerRevues(house)).toMatchObject([
    { id: autre.id, secondIssn: null },
    { id: revue.id, issn: '0153-4092', secondIssn: '2917-0443' },
  ]);

  await follow(page, '/revues');
  await page.getByRole('link', { name: 'La Hulotte' }).waitFor();
  await phone.cutNetwork();
  const scan = await deskScanner(page);
  await scan('9772917044002');
  await page.waitForURL(new RegExp(`/revues/${String(revue.id)}$`));
  await page.goBack();
  await page.getByRole('link', { name: 'La Hulotte' }).waitFor();
  await scan('9770153409005');
  await page.waitForURL(new RegExp(`/revues/${String(revue.id)}$`));
});
