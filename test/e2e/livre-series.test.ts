import { expect, test } from 'vitest';
import { unfold, unfoldFields } from './support/add.ts';
import { ajouterSerie } from './support/collections.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { blockChanges } from './support/souhaits.ts';
import type { Serie } from '#shared/series';

async function storedSeries(house: Household): Promise<Serie[]> {
  const response = await fetch(`${house.url}/api/series`);
  return (await response.json()) as Serie[];
}

const placesOf = async (house: Household) =>
  (await storedSeries(house)).map(({ titre, places }) => ({
    titre,
    places: places.map(({ numero, livreId }) => [numero, livreId]),
  }));

test('a book’s page puts it in a series or out', async () => {
  const house = await household();
  const third = await house.ajouter({ titre: 'Le retour' });
  const first = await house.ajouter({ titre: 'Le départ' });
  const page = await (await device(house)).open(`/livres/${String(third.id)}`);
  await page.getByRole('button', { name: 'Mettre dans une série' }).click();
  await page.getByLabel('Série', { exact: true }).fill('Les voyages');
  await page.getByLabel('Numéro', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: 'Les voyages' }).waitFor();

  // The known series is suggested, and the number gives the place.
  await follow(page, `/livres/${String(first.id)}`);
  await page.getByRole('button', { name: 'Mettre dans une série' }).click();
  await page.getByLabel('Série', { exact: true }).fill('voy');
  await page.getByRole('option', { name: 'Les voyages' }).click();
  await page.getByLabel('Numéro', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: 'Les voyages' }).waitFor();
  expect(await placesOf(house)).toEqual([
    {
      titre: 'Les voyages',
      places: [
        ['1', first.id],
        ['3', third.id],
      ],
    },
  ]);
  // Removal is offered in the form only, where no one presses it by accident.
  expect(await page.getByRole('button', { name: /^Retirer/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Modifier', exact: true }).click();
  await page.getByText('Videz le champ pour en retirer le livre.').waitFor();
  await page.getByLabel('Série', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: 'Les voyages' }).waitFor({ state: 'detached' });
  // A numbered volume stays in the series as missing.
  expect(await placesOf(house)).toEqual([
    {
      titre: 'Les voyages',
      places: [
        ['1', null],
        ['3', third.id],
      ],
    },
  ]);
});

test('a book of two series is removed from one of them before its form is saved', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Le départ' });
  for (const titre of ['Les voyages', 'Poche verte'])
    await fetch(`${house.url}/api/series`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ titre, places: [{ titre: 'Le départ', livreId: id }] }),
    });
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  const first = await page.getByLabel('Série', { exact: true }).inputValue();
  const other = first === 'Les voyages' ? 'Poche verte' : 'Les voyages';
  await unfoldFields(page);
  await page.getByLabel('Pages').fill('212');
  await page.getByRole('button', { name: `Retirer de « ${other} »` }).click();
  await page.getByText('Autres séries').waitFor({ state: 'detached' });
  expect(await page.getByText(/^Entre-temps/).count()).toBe(0);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: first, exact: true }).waitFor();
  expect(await page.getByRole('link', { name: other, exact: true }).count()).toBe(0);
  await page.getByText('212').waitFor();
});

test('a book added before the copy joins its series', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Le départ' });
  const serie = { titre: 'Les voyages', places: [{ titre: 'Le départ', livreId: id }] };
  await fetch(`${house.url}/api/series`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(serie),
  });
  const phone = await device(house);
  const letNewsThrough = blockChanges(phone);
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Le retour');
  await page.getByLabel('Série', { exact: true }).fill('les voyages');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expect.poll(async () => (await placesOf(house))[0]?.places.length).toBe(2);
  letNewsThrough();
  expect((await placesOf(house)).map(({ titre }) => titre)).toEqual(['Les voyages']);
});

test('after a volume was read the next one is named, or wished for where it is missing', async () => {
  const house = await household();
  const [first, second] = [
    await house.ajouter({ titre: 'Le départ' }),
    await house.ajouter({ titre: 'La route' }),
  ];
  await fetch(`${house.url}/api/series`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      titre: 'Les voyages',
      nombreTomes: 3,
      places: [
        { titre: 'Le départ', numero: '1', livreId: first.id },
        { titre: 'La route', numero: '2', livreId: second.id },
      ],
    }),
  });
  const page = await (await device(house)).open(`/livres/${String(first.id)}`);
  const next = page.getByRole('list', { name: 'À lire ensuite' });
  const read = () => page.getByRole('radio', { name: 'Lu', exact: true }).click();
  await page.getByRole('radio', { name: 'Lu', exact: true }).waitFor();
  expect(await next.count()).toBe(0);
  await read();
  await next.getByText('Ensuite : Les voyages, tome 2').waitFor();
  expect(await accessibilityFaults(page, '/livres/[id]: the next volume')).toEqual([]);
  await next.getByRole('link', { name: 'La route' }).click();
  await page.getByRole('heading', { level: 1, name: 'La route' }).waitFor();
  await read();
  // The third volume has no place: only its number is known.
  await next.getByText('Ensuite : Les voyages, tome 3').waitFor();
  await next.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await next.getByRole('link', { name: 'Sur ma liste' }).waitFor();
  await follow(page, `/livres/${String(first.id)}`);
  await page.getByRole('heading', { level: 1, name: 'Le départ' }).waitFor();
  expect(await next.count()).toBe(0);
});

test('a book’s title proposes its series', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'La marée haute : 1' });
  const page = await (await device(house)).open(`/livres/${String(id)}`);
  await page.getByText('série « La marée haute », numéro 1').waitFor();
  await page.getByRole('button', { name: 'Mettre dans cette série' }).click();
  await page.getByRole('link', { name: 'La marée haute', exact: true }).waitFor();
  const proposed = { titre: 'La marée haute', places: [['1', id]] };
  expect(await placesOf(house)).toEqual([proposed]);

  const other = await house.ajouter({ titre: 'Le retour' });
  await follow(page, `/livres/${String(other.id)}`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  const save = async (serie: string, numero: string) => {
    await page.getByLabel('Série', { exact: true }).fill(serie);
    await page.getByLabel('Numéro', { exact: true }).fill(numero);
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByRole('link', { name: serie, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Modifier' }).click();
  };
  await unfoldFields(page);
  await save('Les voyages', '3');
  expect(await page.getByLabel('Série', { exact: true }).inputValue()).toBe('Les voyages');
  await save('Les voyages', '4');
  expect(await placesOf(house)).toEqual([
    proposed,
    { titre: 'Les voyages', places: [['4', other.id]] },
  ]);
  await save('Les retours', '1');
  expect(await placesOf(house)).toEqual([
    proposed,
    { titre: 'Les retours', places: [['1', other.id]] },
    { titre: 'Les voyages', places: [['4', null]] },
  ]);
});

test('a form opened by address knows the book’s series', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Le départ' });
  await ajouterSerie(house, {
    titre: 'Les voyages',
    places: [{ titre: livre.titre, numero: '1', livreId: livre.id }],
  });
  const phone = await device(house);
  await (await phone.open()).getByRole('link', { name: 'Le départ' }).waitFor();
  const page = await phone.open(`/livres/${String(livre.id)}/modifier`);
  for (const visit of ['opened', 'reloaded']) {
    if (visit === 'reloaded') await page.reload();
    await expect
      .poll(() => page.getByLabel('Série', { exact: true }).inputValue())
      .toBe('Les voyages');
    expect(await page.getByRole('alert').count(), visit).toBe(0);
  }
  await page.getByLabel('Éditeur').fill('Gallimard');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'Le départ', exact: true }).waitFor();
  expect(await placesOf(house)).toEqual([{ titre: 'Les voyages', places: [['1', livre.id]] }]);
});

test('a box fills the places of its volumes, and is taken apart by one press', async () => {
  const house = await household();
  const box = await house.ajouter({ titre: 'Le coffret' });
  const places = ['1', '2', '3', '4'].map((numero) => ({ titre: `Rive ${numero}`, numero }));
  const { id } = await ajouterSerie(house, { titre: 'Rives', places });
  const page = await (await device(house)).open(`/livres/${String(box.id)}/modifier`);
  await unfoldFields(page);
  await page.getByLabel('Série', { exact: true }).fill('Rives');
  await page.getByLabel('Numéro', { exact: true }).fill('Coffret');
  await page.getByRole('textbox', { name: 'Tomes contenus' }).fill('beaucoup');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(/^Écrivez par exemple/).waitFor();
  await page.getByRole('textbox', { name: 'Tomes contenus' }).fill('1-3');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('Contient les tomes 1 à 3').waitFor();
  await follow(page, `/series/${String(id)}`);
  await page.getByText(/manque le tome\s4/).waitFor();

  await follow(page, `/livres/${String(box.id)}`);
  await page.getByRole('button', { name: 'Compter un seul volume' }).click();
  await page.getByRole('button', { name: 'Compter un seul volume' }).waitFor({ state: 'detached' });
  await follow(page, `/series/${String(id)}`);
  await page.getByText(/manque les tomes\s1 à 4/).waitFor();

  // The form of the series says so, too.
  await follow(page, `/series/${String(id)}/modifier`);
  await page.getByRole('button', { name: 'Préciser le volume 5' }).click();
  await page.getByRole('textbox', { name: 'Tomes contenus' }).fill('2 et 3');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText(/manque les tomes\s1 et 4/).waitFor();
});
