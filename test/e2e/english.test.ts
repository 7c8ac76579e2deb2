import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { filterBy, livreRow, livreTitles, searchFor } from './support/catalogue.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { feedback, expectFeedback, view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { setLanguage, t } from './support/messages.ts';
import { buildLanguages } from './support/build-languages.ts';
import { householdWithCatalogues } from './support/recherche.ts';

buildLanguages('en');

/** The simulated catalogues have one record for this code. */
const ONE_RECORD = '9782948012017';

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('in English a household is set up, lends and takes back', async () => {
  setLanguage('en');
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await press(page, t.add_by_hand());
  await field(page, t.field_titre()).fill('Regain');
  await field(page, t.field_auteurs()).fill('Jean Giono');
  await press(page, t.ajouter());
  await expectFeedback(page, t.told_livre_ajoute({ nom: 'Regain' }));
  await field(page, t.add_field()).fill(ONE_RECORD);
  await press(page, t.rechercher_isbn_label());
  await page.getByText(t.add_found({ titre: 'Les travailleurs de la mer' })).waitFor();
  await press(page, t.ajouter());
  await expectFeedback(page, t.told_livre_ajoute({ nom: 'Les travailleurs de la mer' }));

  await follow(page, '/livres/1');
  await field(page, t.field_emprunteur()).fill('Luc');
  await press(page, t.preter());
  await expectFeedback(page, t.told_livre_prete({ emprunteur: 'Luc', nom: 'Regain' }));
  await follow(page, '/');
  await filterBy(page, t.filter_disponibilite(), t.disponibilite_prete());
  await expect.poll(() => livreTitles(page)).toEqual(['Regain']);
  await follow(page, '/prets');
  await page.getByRole('button', { name: t.rendu_titre({ titre: 'Regain' }) }).click();
  await expectFeedback(page, t.told_livre_rentre({ emprunteur: 'Luc', nom: 'Regain' }));
  await page.getByText(t.no_prets()).waitFor();

  await follow(page, '/souhaits/ajouter');
  await press(page, t.add_by_hand());
  await press(page, t.ajouter());
  await page.getByText(t.livre_titre_required()).waitFor();
  await field(page, t.field_titre()).fill('Colline');
  await press(page, t.ajouter());
  await view(page, t.souhait_added_at_rang({ rang: 1, titre: 'Colline' }));
  await page.getByRole('heading', { name: t.destination_souhaits() }).waitFor();

  await follow(page, '/modifications');
  const history = page.getByRole('main');
  await history.getByText(t.told_souhait_ajoute({ nom: 'Colline' })).waitFor();
  await history.getByRole('button', { name: t.undo(), exact: true }).first().click();
  await feedback(page).waitFor();
  await expect.poll(() => house.souhaits('alice')).toEqual([]);
});

test('in English a list is imported and taken back, and an export moves in', async () => {
  setLanguage('en');
  const house = await household();
  const page = await (await device(house)).open('/importer');
  const take = async (name: string, buffer: Buffer) => {
    await field(page, t.importation_fichier()).setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer,
    });
    await press(page, t.verifier());
  };
  await take(
    'list.csv',
    Buffer.from('Titre;Auteur\nColline;Jean Giono\nRegain;Jean Giono\n;Personne'),
  );
  await page.getByRole('heading', { name: t.count_livres({ count: 2 }) }).waitFor();
  await page.getByText(t.importation_refused({ count: 1 }), { exact: true }).waitFor();
  await press(page, t.importation_submit({ count: 2 }));
  await page.getByRole('heading', { name: t.importation_faite_heading() }).waitFor();
  await expectFeedback(page, t.importation_done({ count: 2 }));
  const archive = Buffer.from(await (await fetch(`${house.url}/api/export.zip`)).arrayBuffer());
  await press(page, t.importation_undo());
  await page.getByRole('heading', { name: t.importation_annulee_heading() }).waitFor();
  expect(await house.titres()).toEqual([]);

  await follow(page, '/importer');
  await take('export.zip', archive);
  await press(page, t.importation_submit({ count: 2 }));
  await page.getByRole('heading', { name: t.importation_faite_heading() }).waitFor();
  expect(await house.titres()).toEqual(['Colline', 'Regain']);
});

test('in English a shelf is checked, and the library is read without a network', async () => {
  setLanguage('en');
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
  const shelf = await ajouterEmplacement(house, { nom: 'Salon' });
  await rangerLivre(house, livre.id, shelf.id);
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/rangement/recolement?emplacement=${String(shelf.id)}`);
  await page.getByRole('main').getByRole('button', { name: t.recolement_begin() }).waitFor();
  // Loading fonts move the button.
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  await press(page, t.recolement_begin());
  await page.getByRole('button', { name: t.recolement_pick_label({ titre: 'Regain' }) }).click();
  await press(page, t.finish());
  await page.getByText(t.recolement_all()).waitFor();

  await follow(page, '/');
  await livreRow(page, 'Regain').waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.goto(phone.portal.url);
  await searchFor(page, 'giono');
  await expect.poll(() => livreTitles(page)).toEqual(['Regain']);
  await follow(page, `/livres/${String(livre.id)}`);
  await page.getByText(t.write_offline()).first().waitFor();
});
