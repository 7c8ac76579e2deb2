import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { resize } from './support/accessibility.ts';
import { livreTitles } from './support/catalogue.ts';
import { device, SIZES } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { expectList, pressIn, souhaitRow } from './support/souhaits.ts';

test('an edited or restored wish keeps its rank', async () => {
  const house = await household();
  const coverUrl = 'https://couvertures.example/regain.jpg';
  await house.souhaiter('alice', { titre: 'Regain', auteur: 'Giono', coverUrl });
  for (const titre of ['Désert', 'Fondation']) await house.souhaiter('alice', { titre });
  const page = await (await device(house)).open('/souhaits');
  await pressIn(page, 'Regain', 'Modifier');
  const form = page.getByRole('form', { name: 'Modifier « Regain »' });
  await form.getByLabel('ISBN').fill('978-2-253-00000-0');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await form.getByText('Le dernier chiffre ne correspond pas').waitFor();
  await form.getByLabel('ISBN').fill('');
  await form.getByLabel('Titre').fill('désert');
  await form.getByRole('button', { name: 'Retirer Giono' }).click();
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await form.getByText('C’est déjà sur votre liste.').waitFor();
  await form.getByLabel('Titre').fill('Regain, édition illustrée');
  await form.getByLabel('Auteurs').fill('Jean Giono');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await expectList(page, 'Livres', ['Regain, édition illustrée', 'Désert', 'Fondation']);
  const row = souhaitRow(page, 'Regain, édition illustrée');
  await row.getByText('Jean Giono').waitFor();
  const response = await fetch(`${house.url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
  expect(await response.json()).toMatchObject([{ rang: 1, coverUrl }, { rang: 2 }, { rang: 3 }]);

  await pressIn(page, 'Désert', 'Supprimer');
  await expectList(page, 'Livres', ['Regain, édition illustrée', 'Fondation']);
  await expectFeedback(page, 'Souhait retiré : Désert');
  await page.getByRole('button', { name: 'Annuler' }).click();
  await expectList(page, 'Livres', ['Regain, édition illustrée', 'Désert', 'Fondation']);
  expect(await house.souhaits('alice')).toEqual([
    'Regain, édition illustrée',
    'Désert',
    'Fondation',
  ]);
});

test('a wish for a book that was added otherwise is marked', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  await house.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Le Petit Quai', auteur: 'Lise Marchand ; Luc Roy' });
  await house.souhaiter('alice', { titre: 'Fondation', auteur: 'Isaac Asimov' });
  const page = await (await device(house)).open('/souhaits');
  await expectList(page, 'Livres', ['Regain', 'Le Petit Quai', 'Fondation']);
  await house.ajouter({ titre: 'Petit Quai (Le) : roman', auteurs: ['Marchand, Lise'] });
  await house.ajouter({ titre: 'Fondation', auteurs: ['Une autre'] });
  await souhaitRow(page, 'Le Petit Quai').getByText('Arrivé à la maison').waitFor();
  expect(await page.getByText('Arrivé à la maison').count()).toBe(1);
  await pressIn(page, 'Le Petit Quai', 'Retirer de ma liste');
  await expectList(page, 'Livres', ['Regain', 'Fondation']);
  await expectFeedback(page, 'Souhait retiré : Le Petit Quai');
});

test('a bought book is added with the wish’s data', async () => {
  const house = await household();
  const { id } = await house.souhaiter('alice', {
    titre: 'Astérix le Gaulois',
    auteur: 'René Goscinny ; Albert Uderzo',
    isbn: '9782012101333',
  });
  await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'], editeur: 'Grasset' });
  await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  await house.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Désert', auteur: 'J. M. G. Le Clézio' });
  const page = await (await device(house, { size: 'desk' })).open('/souhaits');
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // Covers are prefetched independently.
    if (request.method() !== 'GET' && !pathname.startsWith('/api/couvertures'))
      writes.push(pathname);
  });
  await pressIn(page, 'Astérix le Gaulois', 'Je l’ai acheté');
  await page.getByText('Livre ajouté : Astérix le Gaulois').waitFor();
  await expectList(page, 'Livres', ['Regain', 'Désert']);
  expect(writes).toEqual([`/api/souhaits/${String(id)}/achat`]);
  await page.getByRole('link', { name: 'Voir', exact: true }).click();
  await page.getByRole('heading', { name: 'Astérix le Gaulois' }).waitFor();
  const record = page.getByRole('article', { name: 'Astérix le Gaulois' });
  await record.getByText('978-2-01-210133-3').waitFor();
  for (const nom of ['René Goscinny', 'Albert Uderzo'])
    await record.getByRole('link', { name: nom }).waitFor();
  // Nobody has chosen a format.
  expect(await record.getByText('Papier').count()).toBe(0);

  await resize(page, SIZES.phone);
  await follow(page, '/souhaits');
  await pressIn(page, 'Regain', 'Je l’ai acheté');
  const similar = page.getByRole('region', { name: 'Ce livre ressemble à un livre déjà là' });
  await similar.getByText('Grasset').waitFor();
  expect(await house.souhaits('alice')).toEqual(['Regain', 'Désert']);
  await similar.getByRole('button', { name: 'Ajouter quand même' }).click();
  await expectList(page, 'Livres', ['Désert']);
  await pressIn(page, 'Désert', 'Je l’ai acheté');
  await similar.getByRole('button', { name: 'Retirer de ma liste' }).click();
  await page.getByText('Aucun souhait').waitFor();
  await follow(page, '/');
  const titres = ['Astérix le Gaulois', 'Désert', 'Regain', 'Regain'];
  await expect.poll(() => livreTitles(page)).toEqual(titres);
});

test('a bought issue enters its periodical', async () => {
  const house = await household();
  await house.souhaiterRevue('alice', { titre: 'La Hulotte', numero: '113', issn: '0337-2154' });
  await house.souhaiterRevue('alice', { titre: 'La Hulotte', issn: '0337-2154' });
  const page = await (await device(house)).open('/souhaits');
  const row = page.getByRole('listitem', { name: 'La Hulotte' });
  const sheet = page.getByRole('dialog', { name: 'La Hulotte' });
  const buy = async (rang: number) => {
    await row.nth(rang).getByRole('button', { name: 'La Hulotte', exact: true }).click();
    await sheet.getByRole('button', { name: 'Je l’ai acheté' }).click();
  };
  await row.nth(1).waitFor();
  await buy(0);
  await page.getByText('Numéro ajouté : La Hulotte').waitFor();
  await expectList(page, 'Revues', ['La Hulotte']);
  await buy(0);
  await sheet.getByRole('button', { name: 'Ajouter ce numéro' }).click();
  await sheet.getByText('Quel numéro avez-vous acheté ?').waitFor();
  await sheet.getByLabel('Numéro').fill('114');
  await sheet.getByRole('button', { name: 'Ajouter ce numéro' }).click();
  await page.getByText('Aucun souhait').waitFor();
  const numeros: unknown = await (await fetch(`${house.url}/api/revues/1/numeros`)).json();
  expect(numeros).toHaveLength(2);
  for (const numero of ['113', '114'])
    expect(numeros).toContainEqual(expect.objectContaining({ numero }));
});

async function download(page: Page, button: string) {
  const downloadEvent = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await downloadEvent;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('both lists are exported as files or shared texts', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: '=1+1 ; « rien »', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Le Grand Meaulnes', isbn: '9782253005278' });
  await house.souhaiterRevue('alice', { titre: 'XXI', numero: '62' });
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  const more = page.getByRole('button', { name: 'Autres actions' });
  await more.click();
  const csv = await download(page, 'Exporter en CSV');
  expect(csv.name).toMatch(/^souhaits-\d{4}-\d\d-\d\d\.csv$/);
  expect(csv.text.startsWith('\uFEFF')).toBe(true);
  expect(parse(csv.text, { bom: true, delimiter: ';', record_delimiter: '\r\n' })).toEqual([
    ['Type', 'Rang', 'Titre', 'Auteur', 'Numéro', 'Code'],
    ['Livre', '1', "'=1+1 ; « rien »", 'Jean Giono', '', ''],
    ['Livre', '2', 'Le Grand Meaulnes', '', '', '978-2-253-00527-8'],
    ['Revue', '1', 'XXI', '', '62', ''],
  ]);
  await page.getByRole('button', { name: 'Exporter en texte' }).focus();
  const downloadEvent = page.waitForEvent('download');
  await page.keyboard.press('Space');
  const text = await readFile(await (await downloadEvent).path(), 'utf8');
  expect(text).toContain('Auteur non précisé');
  expect(text).toContain('978-2-253-00527-8');

  expect(await page.getByRole('button', { name: 'Partager' }).count()).toBe(0);
  await phone.context.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: (data: ShareData) => {
        Reflect.set(globalThis, 'shared', data);
        return Promise.resolve();
      },
    });
  });
  await page.clock.setFixedTime(new Date('2031-05-06T10:00:00'));
  await page.reload();
  await more.click();
  await page.getByRole('button', { name: 'Partager' }).click();
  const shared = await page.evaluate(() => Reflect.get(globalThis, 'shared') as ShareData);
  expect(shared.text).toContain('Jean Giono\n  1. =1+1 ; « rien »');
  expect(shared.text).toMatch(/^Liste de souhaits du 6 mai 2031\n/);
});

test('a reader’s lists are shown to nobody else', async () => {
  const house = await household();
  await house.souhaiter('alice', { titre: 'Regain' });
  const desk = await device(house, { size: 'desk' });
  const page = await desk.open('/souhaits');
  const rail = page.getByRole('navigation', { name: 'Principal' });
  await rail.getByRole('link', { name: 'Souhaits 1' }).waitFor();
  await house.souhaiterRevue('alice', { titre: 'XXI' });
  await expectList(page, 'Revues', ['XXI']);
  await rail.getByRole('link', { name: 'Souhaits 2' }).waitFor();

  desk.portal.user = 'bruno';
  await page.reload();
  await page.getByText('Aucun souhait').waitFor();
  expect(await page.getByText('Regain').count()).toBe(0);
  await resize(page, SIZES.phone);
  desk.portal.user = null;
  await page.reload();
  await page.getByText('Vos souhaits sont personnels').waitFor();
  await follow(page, '/souhaits/ajouter');
  await page.getByText('Vos souhaits sont personnels').waitFor();
});
