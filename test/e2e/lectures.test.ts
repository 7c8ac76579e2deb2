import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import type { Livre } from '#shared/livres';
import { addField, searchForBook, unfold } from './support/add.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { holdWrites } from './support/hold-writes.ts';
import { household, type Household } from './support/household.ts';

test('« Lu » notes a reading, « Relire » a second one', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  const page = await (await device(house)).open(`/livres/${livre.id}`);
  const status = (name: string) => page.getByRole('radio', { name, exact: true });
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  await status('Lu').check();
  await mine.getByText(/^\d.* \d{4}$/).waitFor();
  await mine.getByRole('button', { name: 'Sans date' }).click();
  await mine.getByText('sans date', { exact: true }).waitFor();
  await undo(page);
  await mine.getByText(/^\d.* \d{4}$/).waitFor();

  const [half, whole] = await Promise.all(
    ['4 étoiles et demie', '5 étoiles'].map((name) =>
      mine.getByRole('radio', { name, exact: true }).boundingBox(),
    ),
  );
  expect((half?.x ?? NaN) + (half?.width ?? NaN)).toBeCloseTo(whole?.x ?? NaN);
  await mine.getByRole('radio', { name: '4 étoiles et demie' }).click();
  await expect
    .poll(() => mine.getByRole('radio', { name: '4 étoiles et demie' }).isChecked())
    .toBe(true);
  await mine.getByRole('radio', { name: '4 étoiles et demie' }).press('ArrowRight');
  await expect.poll(() => mine.getByRole('radio', { name: '5 étoiles' }).isChecked()).toBe(true);
  expect(
    await mine.getByRole('radio').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)),
  ).toEqual([
    'Une demi-étoile',
    '1 étoile',
    '1 étoile et demie',
    '2 étoiles',
    '2 étoiles et demie',
    '3 étoiles',
    '3 étoiles et demie',
    '4 étoiles',
    '4 étoiles et demie',
    '5 étoiles',
  ]);
  // The same key removes a rating and sets it again.
  await mine.getByRole('radio', { name: '5 étoiles' }).press('Space');
  await expect.poll(() => mine.getByRole('radio', { checked: true }).count()).toBe(0);
  await mine.getByRole('radio', { name: '4 étoiles', exact: true }).press('Space');
  await expect
    .poll(() => mine.getByRole('radio', { name: '4 étoiles', exact: true }).isChecked())
    .toBe(true);
  await mine.getByRole('radio', { name: '4 étoiles', exact: true }).press('ArrowLeft');
  await expect
    .poll(() => mine.getByRole('radio', { name: '3 étoiles et demie' }).isChecked())
    .toBe(true);

  await mine.getByRole('button', { name: 'Modifier la lecture' }).click();
  await page.getByLabel('Fin', { exact: true }).fill('bientôt');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(/Indiquez une date/).waitFor();
  await page.getByLabel('Fin', { exact: true }).fill('30/9/19');
  await page.getByLabel('Avis').fill('Du sable\net des vers.');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await mine.getByText('30 sept. 2019', { exact: true }).waitFor();
  // On the narrowest phone, stars and date fit on one line, with the longest date too.
  const middles = await Promise.all(
    [mine.getByRole('group', { name: 'Étoiles' }), mine.getByText('30 sept. 2019')].map(
      async (part) => {
        const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
        return Math.round((y + height / 2) / 4);
      },
    ),
  );
  expect(middles[0]).toBe(middles[1]);
  await mine.getByText(/^Du sable/).waitFor();

  await mine.getByRole('button', { name: 'Relire' }).click();
  await mine.getByText(/^depuis le /i).waitFor();
  await mine.getByText('Déjà lu le 30 septembre 2019', { exact: true }).waitFor();
  await mine.getByRole('button', { name: 'Abandonné' }).click();
  await mine.getByText(/^Abandonné le /).waitFor();
  await expect.poll(() => status('Pas commencé').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Annuler', exact: true }).first().click();
  await mine.getByText(/^depuis le /i).waitFor();
  await expect.poll(() => status('En cours').isChecked()).toBe(true);
});

test('« Mes lectures » counts readings by year, and has a book under way without a day', async () => {
  const house = await household();
  const livre = await house.ajouter({
    titre: 'Dune',
    auteurs: ['Frank Herbert'],
    nombrePages: 412,
  });
  await house.setStatut(livre, 'alice', 2);
  const solaris = await house.ajouter({ titre: 'Solaris' });
  await house.setStatut(solaris, 'alice', 1);
  // Its reading is gone, and it is under way all the same.
  const begun = (await readings(house)).find(({ livreId }) => livreId === solaris.id);
  await fetch(`${house.url}/api/lectures/${String(begun?.id)}`, {
    method: 'DELETE',
    headers: { SSO_USER: 'alice' },
  });
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    const share = ({ files = [] }: ShareData) => {
      Reflect.set(
        globalThis,
        'shared',
        files.map(({ name }) => name),
      );
      return Promise.resolve();
    };
    Object.defineProperties(navigator, {
      canShare: { value: () => true },
      share: { value: share },
    });
  });
  const page = await phone.open('/lectures');
  const underWay = page.getByRole('region', { name: 'En cours', exact: true });
  await underWay.getByRole('link', { name: 'Solaris' }).click();
  await page.getByRole('heading', { level: 1, name: 'Solaris' }).waitFor();
  await follow(page, '/lectures');

  const year = String(new Date().getFullYear());
  const ofYear = (name: string) => page.getByRole('region', { name, exact: true });
  await ofYear(year).getByRole('link', { name: 'Dune' }).waitFor();

  await page.getByRole('link', { name: 'Ajouter' }).first().click();
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Les Vagues');
  await page.getByLabel('Auteurs').fill('Virginia Woolf;');
  await page.getByLabel('Fin', { exact: true }).fill('vers 2009');
  await page.getByRole('radio', { name: '3 étoiles et demie' }).click();
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, /Les Vagues/);
  await follow(page, '/lectures');
  await ofYear('2009').getByRole('link', { name: 'Les Vagues' }).waitFor();
  await ofYear('2009').getByRole('img', { name: '3 étoiles et demie' }).waitFor();

  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('woolf');
  await expect.poll(() => page.getByRole('link', { name: 'Dune' }).count()).toBe(0);

  await follow(page, '/lectures/annee');
  await page.getByText(`Aucune lecture en ${Number(year) - 1}`).waitFor();
  await page.getByText('412', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Fixer un objectif' }).click();
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('24');
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
  await page.getByText('1 sur 24 livres').waitFor();
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Enregistrer l’image' }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe(`lectures-${year}.png`);
  await page.getByRole('button', { name: 'Envoyer' }).click();
  await expect
    .poll(() => page.evaluate(() => Reflect.get(globalThis, 'shared') as unknown))
    .toEqual([`lectures-${year}.png`]);
});

test('a typed title finds the owned book, the reading is linked to it, and a code does not replace a typed title', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  await house.ajouter({ titre: 'Les Vagues', auteurs: ['Virginia Woolf'] });
  await house.ajouter({ titre: 'Les Vagues', auteurs: ['Anne Roche'] });
  const page = await (await device(house)).open('/lectures/ajouter');
  const titre = page.getByLabel('Titre', { exact: true });
  await unfold(page);
  await titre.fill('Les vagues : roman');
  await page.getByText(/^Plusieurs livres de la maison/).waitFor();
  await page.getByRole('button', { name: 'Les Vagues, Anne Roche' }).click();
  await page.getByText('« Les Vagues » est à la maison').waitFor();
  await titre.fill('dune');
  await page.getByRole('button', { name: /Anne Roche$/ }).click();
  await page.getByText('« Dune » est à la maison').waitFor();
  await page.getByRole('button', { name: 'C’est un autre livre' }).click();
  await expect.poll(() => page.getByText('« Dune » est à la maison').count()).toBe(0);
  await page.getByLabel('Auteurs').fill('Herbert Frank;');
  await titre.fill('Dune ');
  await titre.fill('Dune, ');
  await page.getByText('« Dune » est à la maison').waitFor();
  await page.getByLabel('Fin', { exact: true }).fill('2019');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, /Dune/);
  await follow(page, '/lectures');
  await page
    .getByRole('region', { name: '2019', exact: true })
    .getByRole('link', { name: 'Dune' })
    .click();
  await page.waitForURL(`**/livres/${livre.id}`);
  await expect
    .poll(() => page.getByRole('radio', { name: 'Lu', exact: true }).isChecked())
    .toBe(true);

  // A code fills no title that is typed already.
  const isbn = '9782070408504';
  await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'], isbn });
  await follow(page, '/lectures/ajouter');
  await unfold(page);
  await titre.fill('Désert, relu en août');
  await searchForBook(page, isbn);
  await page.getByText('J. M. G. Le Clézio').first().waitFor();
  expect(await titre.inputValue()).toBe('Désert, relu en août');
  // Text that was filled in is replaced, since nobody typed it.
  await titre.fill('');
  await addField(page).press('Enter');
  await expect.poll(() => titre.inputValue()).toBe('Désert');
});

test('a reading of a book not owned has a page, with a button to edit it, and is linked by one press to a book added later', async () => {
  const house = await household();
  const { id } = await house.noter('alice', {
    titre: 'Nana',
    auteurs: ['Zola, Émile'],
    fin: '2020',
    avis: 'Âpre',
  });
  const page = await (await device(house)).open('/lectures');
  await page.getByRole('link', { name: 'Nana' }).click();
  await page.getByRole('heading', { level: 1, name: 'Nana' }).waitFor();
  await page.getByText('Zola, Émile', { exact: true }).waitFor();
  await page.getByText('Âpre', { exact: true }).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await page.getByRole('radio', { name: '4 étoiles', exact: true }).check();
  await expect.poll(() => readings(house)).toMatchObject([{ note: 8, avis: 'Âpre' }]);
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await page.waitForURL(`**/lectures/${String(id)}/modifier`);
  await page.getByLabel('Fin', { exact: true }).fill('2021');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Déjà lu en 2021', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await page.waitForURL('**/lectures');

  // One of a book that comes to the house later is noted on it by one press.
  await house.noter('alice', { titre: 'Thérèse Raquin', auteurs: ['Zola, Émile'], fin: '2020' });
  await page.getByRole('link', { name: 'Thérèse Raquin' }).click();
  await page.getByText('Déjà lu en 2020', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Rattacher au livre' }).count()).toBe(0);
  const livre = await house.ajouter({ titre: 'Thérèse Raquin', auteurs: ['Émile Zola'] });
  await page.getByRole('button', { name: 'Rattacher au livre' }).click();
  await page.waitForURL(`**/livres/${livre.id}`);
  await page.getByRole('region', { name: 'Mes lectures de ce livre' }).getByText('2020').waitFor();
});

test('« Lu » speaks of the last finished reading, and a press is stored after another one, a failure, or another device’s text', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune' });
  await house.noter('alice', { livreId: livre.id, fin: '2019-03', note: 8 });
  await house.noter('alice', { livreId: livre.id, debut: '2024', fin: '2024-05', abandon: true });
  await house.setStatut(livre, 'alice', 2);
  const phone = await device(house);
  const page = await phone.open(`/livres/${livre.id}`);
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  const readingsOf = async ({ id }: Livre) =>
    (await house.lectures('alice')).filter(({ livreId }) => livreId === id);
  await mine.getByText('Abandonné en mai 2024', { exact: true }).waitFor();
  await mine.getByText('mars 2019', { exact: true }).waitFor();
  expect(await mine.getByRole('radio', { name: '4 étoiles', exact: true }).isChecked()).toBe(true);

  // Stars pressed behind « Relire » are written.
  const readAgain = await house.ajouter({ titre: 'Ubik' });
  await house.setStatut(readAgain, 'alice', 2, '2019-09-30');
  await follow(page, `/livres/${readAgain.id}`);
  const release = holdWrites(phone, /statut/);
  await mine.getByRole('button', { name: 'Relire' }).click();
  await mine.getByRole('radio', { name: '4 étoiles', exact: true }).click();
  release();
  await expect.poll(async () => (await readingsOf(readAgain)).map(({ note }) => note)).toContain(8);

  // A second press is done though the first fails.
  const pressed = await house.ajouter({ titre: 'Solaris' });
  await follow(page, `/livres/${pressed.id}`);
  const held = Promise.withResolvers<undefined>();
  let presses = 0;
  await page.route('**/statut', async (route) => {
    presses += 1;
    if (presses > 1) return route.continue();
    await held.promise;
    const refusal = { statusCode: 404, code: 'INTROUVABLE', message: 'Introuvable.' };
    return route.fulfill({ status: 404, json: refusal });
  });
  await page.getByRole('radio', { name: 'À lire', exact: true }).click();
  await page.getByRole('radio', { name: 'Lu', exact: true }).click();
  held.resolve(undefined);
  await mine.waitFor();
  expect(await readingsOf(pressed)).toHaveLength(1);
  await page.unroute('**/statut');

  // A star keeps what another device wrote meanwhile.
  const written = await house.ajouter({ titre: 'Regain' });
  await follow(page, `/livres/${written.id}`);
  await page.getByRole('radio', { name: 'Lu', exact: true }).check();
  await mine.getByText(/^\d.* \d{4}$/).waitFor();
  const pulls = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) =>
    path.startsWith('/api/replication') ? pulls.promise : Promise.resolve();
  const before = await readingsOf(written);
  await house.rewriteLecture('alice', before[0]?.id ?? 0, {
    livreId: written.id,
    avis: 'Du sable et des vers.',
  });
  await mine.getByRole('radio', { name: '4 étoiles', exact: true }).click();
  await expect
    .poll(() => readingsOf(written))
    .toMatchObject([{ note: 8, avis: 'Du sable et des vers.' }]);
  pulls.resolve(undefined);
  await mine.getByText('Du sable et des vers.').waitFor();
});

test('readings can be read without a network', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune' });
  await house.setStatut(livre, 'alice', 2);
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${livre.id}`);
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  for (const name of ['Écrire un avis', 'Relire', 'Modifier la lecture']) {
    const button = mine.getByRole('button', { name });
    await expect.poll(() => button.isDisabled(), { message: name }).toBe(true);
    const reason = (await button.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${reason}"]`).innerText()).toMatch(/hors ligne/i);
  }
  await follow(page, '/lectures');
  await page.getByRole('link', { name: 'Dune' }).waitFor();
});

/** Alice's readings, as the server has them. */
async function readings(house: Household): Promise<readonly Lecture[]> {
  const response = await fetch(`${house.url}/api/lectures`, { headers: { SSO_USER: 'alice' } });
  return (await response.json()) as Lecture[];
}

test('a reading’s draft stays, even if the reading is changed or deleted', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune' });
  const headers = { SSO_USER: 'alice', 'content-type': 'application/json' };
  await fetch(`${house.url}/api/lectures`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ livreId: livre.id, fin: '2019-09-30' }),
  });
  await house.setStatut(livre, 'alice', 1);
  await house.setStatut(livre, 'alice', 2);
  const supprimer = (id: number | undefined) =>
    fetch(`${house.url}/api/lectures/${String(id)}`, { method: 'DELETE', headers });
  const page = await (await device(house)).open(`/livres/${livre.id}`);
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  const word = mine.getByLabel('Avis');
  const pencils = [
    mine.getByRole('button', { name: 'Modifier la lecture', exact: true }),
    mine.getByRole('button', { name: /^Modifier : .*2019/ }),
  ];
  for (const [index, pencil] of pencils.entries()) {
    const isEarlier = ({ fin }: Lecture) => fin === '2019-09-30';
    const edited = (await readings(house)).find((each) => isEarlier(each) === (index === 1));
    await pencil.click();
    await word.fill(`Du sable ${String(index)}`);
    await supprimer(edited?.id);
    const news = mine.getByRole('alert').filter({ hasText: 'Votre saisie est encore là' });
    await news.getByText('Vous avez supprimé cette fiche ailleurs.').waitFor();
    expect(await word.inputValue()).toBe(`Du sable ${String(index)}`);
    await news.getByRole('button', { name: 'Rétablir' }).click();
    await news.waitFor({ state: 'detached' });
    expect(await word.inputValue()).toBe(`Du sable ${String(index)}`);
    await mine.getByRole('button', { name: 'Enregistrer' }).click();
    await mine.getByText(`Du sable ${String(index)}`).waitFor();
  }
  expect((await readings(house)).map(({ avis }) => avis).toSorted()).toEqual([
    'Du sable 0',
    'Du sable 1',
  ]);
  // The deleted reading cannot be edited, so it is created again.
  await pencils[0]?.click();
  await word.fill('Des vers');
  await supprimer((await readings(house)).find(({ avis }) => avis === 'Du sable 0')?.id);
  await mine.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await mine.getByText('Des vers', { exact: true }).waitFor();
  expect(await readings(house)).toHaveLength(2);
});

test('the form of a reading that is deleted on another device reports it, and keeps the typed text', async () => {
  const house = await household();
  const headers = { SSO_USER: 'alice' };
  const { id } = await house.noter('alice', { titre: 'Regain', debut: '2026-03-01' });
  const page = await (await device(house)).open(`/lectures/${id}/modifier`);
  const word = page.getByLabel('Avis');
  await word.fill('Du vent');
  const supprimer = (lecture: number) =>
    fetch(`${house.url}/api/lectures/${String(lecture)}`, { method: 'DELETE', headers });
  await supprimer(id);
  const news = page.getByRole('alert').filter({ hasText: 'Votre saisie est encore là' });
  await news.getByText('Vous avez supprimé cette fiche ailleurs.').waitFor();
  expect(await word.inputValue()).toBe('Du vent');
  await news.getByRole('button', { name: 'Rétablir' }).click();
  await news.waitFor({ state: 'detached' });
  expect(await word.inputValue()).toBe('Du vent');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Du vent', { exact: true }).waitFor();
  expect(await readings(house)).toMatchObject([{ titre: 'Regain', avis: 'Du vent' }]);

  // A reload tells who deleted the reading, and restores the typed text in a new form.
  const [kept] = await readings(house);
  await page.goto(new URL(`/lectures/${String(kept?.id)}/modifier`, page.url()).href);
  await expect.poll(() => word.inputValue()).toBe('Du vent');
  await word.fill('Du vent et des champs');
  await supprimer(kept?.id ?? 0);
  await news.waitFor();
  const gone = page.getByText(/retirée/).first();
  // If the page loads before the replica has stored the deletion, it shows the form and then the deletion.
  await expect
    .poll(async () => {
      await page.reload();
      await gone.or(news).first().waitFor();
      return await gone.isVisible();
    })
    .toBe(true);
  expect(await word.count()).toBe(0);
  await page.getByRole('button', { name: 'Rétablir' }).click();
  await expect.poll(() => word.inputValue()).toBe('Du vent et des champs');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Du vent et des champs', { exact: true }).waitFor();
});

test('a text typed about a new reading is added to the one created by the stars', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Dune' });
  await house.setStatut(livre, 'alice', 2);
  for (const { id } of await readings(house))
    await fetch(`${house.url}/api/lectures/${String(id)}`, {
      method: 'DELETE',
      headers: { SSO_USER: 'alice' },
    });
  await house.setStatut(livre, 'alice', 2);
  const page = await (await device(house)).open(`/livres/${livre.id}`);
  const mine = page.getByRole('region', { name: 'Mes lectures de ce livre' });
  await mine.getByRole('button', { name: 'Écrire un avis' }).click();
  await mine.getByLabel('Avis').fill('Du sable');
  expect(await mine.getByRole('textbox').count()).toBe(1);
  await mine.getByRole('radio', { name: '4 étoiles', exact: true }).first().click();
  await expect.poll(() => readings(house)).toHaveLength(1);
  expect(await mine.getByLabel('Avis').inputValue()).toBe('Du sable');
  await mine.getByRole('button', { name: 'Enregistrer' }).click();
  await mine.getByText('Du sable', { exact: true }).waitFor();
  expect(await readings(house)).toMatchObject([{ avis: 'Du sable', note: 8 }]);
});
