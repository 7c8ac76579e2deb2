import { describe, expect, test } from 'vitest';
import {
  ajouterEmplacement,
  annuler,
  emplacementOf,
  lines,
  modifierEmplacement,
  rangerLivre,
  resumeOf,
  supprimerEmplacement,
} from '../support/emplacements.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

describe('a deletion', () => {
  test('moves books and locations to the parent, and is undone', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Couloir', 1);
    await ajouterEmplacement(house, 'Bas', 1);
    for (const nom of ['bas', 'Haut', 'couloir']) await ajouterEmplacement(house, nom, 2);
    await ajouterEmplacement(house, 'Boîte', 4);
    const first = await ajouterLivre(house, { titre: 'A', emplacementId: 2 });
    const second = await ajouterLivre(house, { titre: 'B', emplacementId: 7 });
    const before = await lines(house);
    const deletion = await supprimerEmplacement(house, 2);
    expect(resumeOf(deletion)).toBe('Emplacement supprimé : Couloir');
    expect(await lines(house)).toEqual([
      'Salon',
      '- Bas',
      '- bas (Couloir)',
      '- - Boîte',
      '- Haut',
      '- couloir (Couloir)',
    ]);
    expect(await emplacementOf(house, first.id)).toBe(1);
    expect(await emplacementOf(house, second.id)).toBe(7);
    const undone = await annuler(house, deletion);
    expect(undone.body).toMatchObject({ resume: 'La suppression de « Couloir » est annulée.' });
    expect(await lines(house)).toEqual(before);
    expect(await emplacementOf(house, first.id)).toBe(2);
  });

  test('of a room leaves its books without a location', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Étagère', 1);
    const { id } = await ajouterLivre(house, { emplacementId: 1 });
    await supprimerEmplacement(house, 1);
    expect(await lines(house)).toEqual(['Étagère']);
    expect(await emplacementOf(house, id)).toBeNull();
  });

  test('keeps names distinct from those restored along', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Couloir');
    await ajouterEmplacement(house, 'Bas');
    for (const nom of ['Bas', 'Bas (Couloir)']) await ajouterEmplacement(house, nom, 1);
    await supprimerEmplacement(house, 1);
    expect(await lines(house)).toEqual(['Bas', 'Bas (Couloir 2)', 'Bas (Couloir)']);
  });

  test('keeps names apart that are cut to the same one', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Couloir');
    const long = 'x'.repeat(195);
    for (const parentId of [null, 1])
      for (const end of ['a', 'b']) await ajouterEmplacement(house, long + end, parentId);
    await supprimerEmplacement(house, 1);
    expect(await lines(house)).toEqual([
      `${long}a`,
      `${long}b`,
      `${'x'.repeat(190)} (Couloir)`,
      `${'x'.repeat(188)} (Couloir 2)`,
    ]);
  });

  test('keeps names apart however long they are', async () => {
    const house = await openHouse();
    const long = 'x'.repeat(200);
    await ajouterEmplacement(house, long);
    for (const parentId of [1, 2]) await ajouterEmplacement(house, long, parentId);
    await supprimerEmplacement(house, 1);
    expect(await lines(house)).toEqual([`${'x'.repeat(137)} (${'x'.repeat(60)})`, `- ${long}`]);
  });
});
describe('undoing', () => {
  test('undoing a location’s addition is refused while it has books', async () => {
    const house = await openHouse();
    const added = await house.ask(null, 'POST', '/api/emplacements', { nom: 'Salon' });
    const { id } = await ajouterLivre(house, { emplacementId: 1 });
    expect((await annuler(house, added)).body).toMatchObject({
      code: 'ANNULATION_IMPOSSIBLE',
      raison: 'Des livres y ont été rangés depuis.',
    });
    await rangerLivre(house, id, null);
    expect((await annuler(house, added)).status).toBe(201);
    expect(await lines(house)).toEqual([]);
  });

  test('a move is refused once its old parent is unusable', async () => {
    const house = await openHouse();
    for (const nom of ['A', 'B']) await ajouterEmplacement(house, nom);
    await ajouterEmplacement(house, 'C', 1);
    const moved = await modifierEmplacement(house, 3, { nom: 'C', parentId: null });
    await modifierEmplacement(house, 1, { nom: 'A', parentId: 3 });
    expect((await annuler(house, moved)).body).toMatchObject({
      raison: 'L’emplacement a été rangé ailleurs depuis.',
    });
    await modifierEmplacement(house, 1, { nom: 'A' });
    const deletion = await supprimerEmplacement(house, 1);
    expect((await annuler(house, moved)).body).toMatchObject({
      raison: 'L’emplacement A a été supprimé depuis.',
    });
    await annuler(house, deletion);
    expect((await annuler(house, moved)).status).toBe(201);
    expect(await lines(house)).toEqual(['B', 'A', '- C']);
  });

  test('a move is refused where it would make seven levels', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'A');
    await ajouterEmplacement(house, 'N1', 1);
    const moved = await modifierEmplacement(house, 2, { nom: 'N1', parentId: null });
    for (let id = 3; id <= 7; id++) await ajouterEmplacement(house, `N${id}`, id - 1);
    expect((await annuler(house, moved)).body).toMatchObject({
      raison: 'L’emplacement serait trop profond.',
    });
    await supprimerEmplacement(house, 7);
    expect((await annuler(house, moved)).status).toBe(201);
  });

  test('a book’s move is refused without its old location', async () => {
    const house = await openHouse();
    for (const nom of ['A', 'B']) await ajouterEmplacement(house, nom);
    const { id } = await ajouterLivre(house, { emplacementId: 1 });
    const moved = await rangerLivre(house, id, 2);
    await supprimerEmplacement(house, 1);
    expect((await annuler(house, moved)).body).toMatchObject({
      raison: 'L’emplacement A a été supprimé depuis.',
    });
    expect(await emplacementOf(house, id)).toBe(2);
  });
});
