import { describe, expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import {
  ajouterEmplacement,
  annuler,
  codeOf,
  emplacementOf,
  rangerLivre,
  resumeOf,
  supprimerEmplacement,
} from '../support/emplacements.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

describe('a book', () => {
  test('is in one location or in none', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Cave');
    const { id } = await ajouterLivre(house, { titre: 'Dune', emplacementId: 1 });
    expect(await emplacementOf(house, id)).toBe(1);
    const put = await rangerLivre(house, id, 2);
    expect(put.body).toMatchObject({ titre: 'Dune', emplacementId: 2 });
    expect(resumeOf(put)).toBe('Rangé dans Cave : Dune');
    const out = await rangerLivre(house, id, null);
    expect(resumeOf(out)).toBe('Sans emplacement : Dune');
    expect(await emplacementOf(house, id)).toBeNull();
  });

  test('keeps its location when its edit names none', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const { id } = await ajouterLivre(house, { emplacementId: 1 });
    const edit = (more: object) =>
      house.ask(null, 'PUT', `/api/livres/${String(id)}`, {
        titre: 'Autre',
        format: 'Physique',
        ...more,
      });
    expect((await edit({})).body).toMatchObject({ titre: 'Autre', emplacementId: 1 });
    expect((await edit({ emplacementId: null })).body).toMatchObject({ emplacementId: null });
    expect((await edit({ emplacementId: 1 })).body).toMatchObject({ emplacementId: 1 });
  });

  test('is not put into a location that there is not', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const { id } = await ajouterLivre(house, {});
    const refused = [400, 'REQUETE_INVALIDE', 'emplacementId'];
    for (const emplacementId of [9, 0, -1, 1.5, '1', 2 ** 60, undefined, [1]]) {
      const put = await rangerLivre(house, id, emplacementId);
      expect(codeOf(put), JSON.stringify(emplacementId)).toEqual(refused);
      const added = await house.ask(null, 'POST', '/api/livres', {
        titre: 'Neuf',
        format: 'Physique',
        emplacementId: emplacementId ?? 9,
      });
      expect(codeOf(added), JSON.stringify(emplacementId)).toEqual(refused);
    }
    expect((await rangerLivre(house, id, 9)).body).toMatchObject({
      champs: [{ message: 'n’est pas un emplacement, ou n’en est plus un' }],
    });
  });

  test('is never left in a location deleted at that moment', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Étagère', 1);
    const { id } = await ajouterLivre(house, {});
    const [put] = await Promise.all([rangerLivre(house, id, 2), supprimerEmplacement(house, 2)]);
    expect(await emplacementOf(house, id)).toBe(put.status === 200 ? 1 : null);
    expect(codeOf(await rangerLivre(house, id, 2))).toEqual([
      400,
      'REQUETE_INVALIDE',
      'emplacementId',
    ]);
  });

  test('is listed by its location, all below it, or none', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Étagère', 1);
    await ajouterEmplacement(house, 'Cave');
    await ajouterLivre(house, { titre: 'A', emplacementId: 3 });
    await ajouterLivre(house, { titre: 'B', emplacementId: 2 });
    await ajouterLivre(house, { titre: 'C', emplacementId: 1 });
    await ajouterLivre(house, { titre: 'D' });
    const titres = async (query: string) =>
      ((await house.ask(null, 'GET', `/api/livres?${query}`)).body as Livre[]).map(
        ({ titre }) => titre,
      );
    expect(await titres('emplacement=1')).toEqual(['B', 'C']);
    expect(await titres('emplacement=2')).toEqual(['B']);
    expect(await titres('emplacement=aucun')).toEqual(['D']);
    expect(await titres('emplacement=9')).toEqual([]);
    expect(await titres('tri=emplacement')).toEqual(['C', 'B', 'A', 'D']);
    expect(await titres('tri=emplacement&inverse=true')).toEqual(['A', 'B', 'C', 'D']);
    await house.ask(null, 'PUT', '/api/emplacements/ordre', { ids: [3, 1] });
    expect(await titres('tri=emplacement')).toEqual(['A', 'C', 'B', 'D']);
    for (const bad of ['0', '-1', '01', 'tous', '1,2', '9'.repeat(17)])
      expect((await house.ask(null, 'GET', `/api/livres?emplacement=${bad}`)).status).toBe(400);
  });
});

test(
  'one request moves a thousand books, and is undone as a whole',
  { tags: 'large' },
  async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    await ajouterEmplacement(house, 'Cave');
    const { database } = house.context;
    database.write((tx) => {
      for (let i = 1; i <= 1000; i++)
        tx.run(
          `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout, emplacementId)
         VALUES (?, ?, ?, 'Physique', '2024-01-01T00:00:00.000Z', ?)`,
          ...Array.from({ length: 3 }, () => `livre ${i}`),
          i % 2 === 0 ? 1 : null,
        );
    });
    const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
    const lot = (emplacementId: unknown) =>
      house.ask(null, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId });
    const counts = () =>
      database.all(
        'SELECT emplacementId AS id, count(*) AS count FROM Livre GROUP BY 1 ORDER BY 1',
      );
    const before = counts();
    for (const bad of [9, 'Salon', undefined])
      expect(codeOf(await lot(bad))).toEqual([400, 'REQUETE_INVALIDE', 'emplacementId']);
    const done = await lot(2);
    expect(resumeOf(done)).toBe('1\u202f000 livres rangés dans Cave');
    expect(counts()).toEqual([{ id: 2, count: 1000 }]);
    expect((await annuler(house, done)).status).toBe(201);
    expect(counts()).toEqual(before);
    const out = await lot(null);
    expect(resumeOf(out)).toBe('500 livres sans emplacement · 500 inchangés');
  },
);
