import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { lignes } from './support/catalogue.ts';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';
import { faire, montre, sansNouvelles, souhait } from './support/souhaits.ts';

useBrowser();

test('a wish is edited in its place, and keeps its rank and its cover', async () => {
  const maison = await household();
  const coverUrl = 'https://couvertures.example/regain.jpg';
  await maison.souhaiter('alice', { titre: 'Regain', auteur: 'Giono', coverUrl });
  await maison.souhaiter('alice', { titre: 'Désert' });
  const appareil = await device(maison);
  const page = await appareil.open('/souhaits');
  await faire(page, 'Regain', 'Modifier');
  const formulaire = page.getByRole('form', { name: 'Modifier « Regain »' });
  await formulaire.getByLabel('ISBN').fill('978-2-253-00000-0');
  await formulaire.getByRole('button', { name: 'Enregistrer' }).click();
  await formulaire.getByText('Ce n’est pas un ISBN').waitFor();
  await formulaire.getByLabel('ISBN').fill('');
  await formulaire.getByLabel('Titre').fill('désert');
  await formulaire.getByLabel('Auteur').fill('');
  await formulaire.getByRole('button', { name: 'Enregistrer' }).click();
  await formulaire.getByText('C’est déjà sur votre liste.').waitFor();
  await formulaire.getByLabel('Titre').fill('Regain, édition illustrée');
  await formulaire.getByLabel('Auteur').fill('Jean Giono');
  await formulaire.getByRole('button', { name: 'Enregistrer' }).click();
  await montre(page, 'Livres', ['Regain, édition illustrée', 'Désert']);
  const ligne = souhait(page, 'Regain, édition illustrée');
  await ligne.getByText('Jean Giono').waitFor();
  const reponse = await fetch(`${maison.url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
  expect(await reponse.json()).toMatchObject([{ rang: 1, coverUrl }, { rang: 2 }]);
});

test('a wish that is taken off comes back to its place by « Annuler »', async () => {
  const maison = await household();
  for (const titre of ['Regain', 'Fondation', 'Désert']) await maison.souhaiter('alice', { titre });
  const page = await (await device(maison)).open('/souhaits');
  await faire(page, 'Fondation', 'Supprimer');
  await montre(page, 'Livres', ['Regain', 'Désert']);
  await page.getByText('« Fondation » n’est plus sur votre liste.').waitFor();
  await page.getByRole('button', { name: 'Annuler' }).click();
  await montre(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  expect(await maison.souhaits('alice')).toEqual(['Regain', 'Fondation', 'Désert']);
});

test('a wish that another device has taken off meanwhile is told so, and goes', async () => {
  const maison = await household();
  const { id } = await maison.souhaiter('alice', { titre: 'Regain' });
  await maison.souhaiter('alice', { titre: 'Désert' });
  const appareil = await device(maison);
  const page = await appareil.open('/souhaits');
  await faire(page, 'Regain', 'Modifier');
  const formulaire = page.getByRole('form', { name: 'Modifier « Regain »' });
  await formulaire.getByLabel('Titre').fill('Regain illustré');
  const donnerDesNouvelles = sansNouvelles(appareil);
  await fetch(`${maison.url}/api/souhaits/${id}`, {
    method: 'DELETE',
    headers: { SSO_USER: 'alice' },
  });
  await formulaire.getByRole('button', { name: 'Enregistrer' }).click();
  await expect.poll(() => formulaire.getByRole('button').first().isDisabled()).toBe(true);
  donnerDesNouvelles();
  await page.getByText('Ce souhait n’est plus sur votre liste.').waitFor();
  await montre(page, 'Livres', ['Désert']);
});

test('a bought book enters the library with what is known of it, and leaves the list', async () => {
  const maison = await household();
  await maison.souhaiter('alice', {
    titre: 'Astérix le Gaulois',
    auteur: 'René Goscinny ; Albert Uderzo',
    isbn: '9782012101333',
  });
  await maison.souhaiter('alice', { titre: 'Désert' });
  const page = await (await device(maison, { taille: 'bureau' })).open('/souhaits');
  await faire(page, 'Astérix le Gaulois', 'Je l’ai acheté');
  await page.getByText('« Astérix le Gaulois » est en rayon').waitFor();
  await montre(page, 'Livres', ['Désert']);
  await page.getByRole('link', { name: 'Voir', exact: true }).click();
  await page.getByRole('heading', { name: 'Astérix le Gaulois' }).waitFor();
  const fiche = page.getByRole('article', { name: 'Astérix le Gaulois' });
  await fiche.getByText('978-2-01-210133-3').waitFor();
  for (const nom of ['René Goscinny', 'Albert Uderzo'])
    await fiche.getByRole('link', { name: nom }).waitFor();
  await fiche.getByText('Papier').first().waitFor();
});

test('a bought book that resembles one at home is asked about first', async () => {
  const maison = await household();
  await maison.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'], editeur: 'Grasset' });
  await maison.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  await maison.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await maison.souhaiter('alice', { titre: 'Désert', auteur: 'J. M. G. Le Clézio' });
  const page = await (await device(maison)).open('/souhaits');
  await faire(page, 'Regain', 'Je l’ai acheté');
  const doublons = page.getByRole('region', { name: 'Ce livre ressemble à un livre déjà là' });
  await doublons.getByText('Grasset').waitFor();
  expect(await maison.souhaits('alice')).toEqual(['Regain', 'Désert']);
  await doublons.getByRole('button', { name: 'Ajouter quand même' }).click();
  await montre(page, 'Livres', ['Désert']);
  await faire(page, 'Désert', 'Je l’ai acheté');
  await doublons.getByRole('button', { name: 'Retirer de ma liste' }).click();
  await page.getByText('Ce que vous aimeriez lire').waitFor();
  await page.goto(`${new URL(page.url()).origin}/`);
  await expect.poll(() => lignes(page)).toEqual(['Désert', 'Regain', 'Regain']);
});

test('a bought issue goes to its periodical; without a number it is asked for', async () => {
  const maison = await household();
  await maison.souhaiterRevue('alice', { titre: 'La Hulotte', numero: '113', issn: '0337-2154' });
  await maison.souhaiterRevue('alice', { titre: 'La Hulotte', issn: '0337-2154' });
  const page = await (await device(maison)).open('/souhaits');
  const ligne = page.getByRole('listitem', { name: 'La Hulotte' });
  const acheter = async (rang: number) => {
    await ligne.nth(rang).getByRole('button', { name: 'La Hulotte', exact: true }).click();
    await ligne.nth(rang).getByRole('button', { name: 'Je l’ai acheté' }).click();
  };
  await ligne.nth(1).waitFor();
  await acheter(0);
  await page.getByText('« La Hulotte » est rangé avec les revues').waitFor();
  await montre(page, 'Revues', ['La Hulotte']);
  await acheter(0);
  await ligne.getByRole('button', { name: 'Ranger ce numéro' }).click();
  await ligne.getByText('Quel numéro avez-vous acheté ?').waitFor();
  await ligne.getByLabel('Numéro').fill('114');
  await ligne.getByRole('button', { name: 'Ranger ce numéro' }).click();
  await page.getByText('Ce que vous aimeriez lire').waitFor();
  const numeros: unknown = await (await fetch(`${maison.url}/api/revues/1/numeros`)).json();
  expect(numeros).toHaveLength(2);
  for (const numero of ['113', '114'])
    expect(numeros).toContainEqual(expect.objectContaining({ numero }));
});

async function telecharger(page: Page, bouton: string) {
  const attendu = page.waitForEvent('download');
  await page.getByRole('button', { name: bouton }).click();
  const fichier = await attendu;
  return { nom: fichier.suggestedFilename(), texte: await readFile(await fichier.path(), 'utf8') };
}

test('both exports are files to keep, with what the lists say', async () => {
  const maison = await household();
  await maison.souhaiter('alice', { titre: '=1+1 ; « rien »', auteur: 'Jean Giono' });
  await maison.souhaiter('alice', { titre: 'Le Grand Meaulnes', isbn: '9782253005278' });
  await maison.souhaiterRevue('alice', { titre: 'XXI', numero: '62' });
  const page = await (await device(maison)).open('/souhaits');
  const csv = await telecharger(page, 'Exporter en CSV');
  expect(csv.nom).toMatch(/^souhaits-\d{4}-\d\d-\d\d\.csv$/);
  expect(csv.texte.startsWith('\uFEFF')).toBe(true);
  expect(parse(csv.texte, { bom: true, delimiter: ';', record_delimiter: '\r\n' })).toEqual([
    ['Type', 'Rang', 'Titre', 'Auteur', 'Numéro', 'Code'],
    ['Livre', '1', "'=1+1 ; « rien »", 'Jean Giono', '', ''],
    ['Livre', '2', 'Le Grand Meaulnes', '', '', '978-2-253-00527-8'],
    ['Revue', '1', 'XXI', '', '62', ''],
  ]);
  await page.getByRole('button', { name: 'Exporter en texte' }).focus();
  const attendu = page.waitForEvent('download');
  await page.keyboard.press('Space');
  const texte = await readFile(await (await attendu).path(), 'utf8');
  expect(texte).toContain('Auteur non précisé');
  expect(texte).toContain('978-2-253-00527-8');
});

test('a phone shares the text of both lists, where its browser can', async () => {
  const maison = await household();
  await maison.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  const appareil = await device(maison);
  const page = await appareil.open('/souhaits');
  await souhait(page, 'Regain').waitFor();
  expect(await page.getByRole('button', { name: 'Partager' }).count()).toBe(0);
  await appareil.context.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: (contenu: ShareData) => {
        Reflect.set(globalThis, 'partage', contenu);
        return Promise.resolve();
      },
    });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Partager' }).click();
  const partage = await page.evaluate(() => Reflect.get(globalThis, 'partage') as ShareData);
  expect(partage.text).toContain('Jean Giono\n  1. Regain');
});

test('a list is its reader’s: another sees nothing of it, nobody reads why there is none', async () => {
  const maison = await household();
  await maison.souhaiter('alice', { titre: 'Regain' });
  const bruno = await (await device(maison, { user: 'bruno', taille: 'bureau' })).open('/souhaits');
  await bruno.getByText('Ce que vous aimeriez lire').waitFor();
  expect(await bruno.getByText('Regain').count()).toBe(0);
  const personne = await (await device(maison, { user: null })).open('/souhaits');
  await personne.getByText('Vos souhaits ne sont pas affichés').waitFor();
  await personne.goto(`${new URL(personne.url()).origin}/souhaits/ajouter`);
  await personne.getByText('Vos souhaits ne sont pas affichés').waitFor();
});

test('the rail counts both lists, and another device sees a wish come and go', async () => {
  const maison = await household();
  await maison.souhaiter('alice', { titre: 'Regain' });
  const appareil = await device(maison, { taille: 'bureau' });
  const page = await appareil.open('/souhaits');
  const rail = page.getByRole('navigation', { name: 'Principal' });
  await rail.getByRole('link', { name: 'Souhaits 1' }).waitFor();
  await maison.souhaiterRevue('alice', { titre: 'XXI' });
  await montre(page, 'Revues', ['XXI']);
  await rail.getByRole('link', { name: 'Souhaits 2' }).waitFor();
});
