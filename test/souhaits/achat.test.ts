import { describe, expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { ranked } from '../modifications/support/compare.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';
import { rangs, souhaiter } from '../support/souhaits.ts';

const acheter = (house: House, utilisateur: string | null, id: number, body: object, query = '') =>
  house.ask(utilisateur, 'POST', `/api/souhaits/${String(id)}/achat${query}`, body);

const livreCount = async (house: House) =>
  ((await house.ask(null, 'GET', '/api/livres')).body as unknown[]).length;

describe('a wish that is bought', () => {
  test('becomes a paper book, and leaves the list', async () => {
    const house = await openHouse();
    const coverUrl = 'https://exemple.fr/a.jpg';
    await souhaiter(house, 'ana', {
      titre: 'Deux à deux',
      auteur: 'Nicci Gerrard ; Sean French',
      isbn: '2-07-061275-9',
      coverUrl,
    });
    await souhaiter(house, 'ana', { titre: 'Sido' });
    const { status, body, headers } = await acheter(house, 'ana', 1, {});
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: 1,
      titre: 'Deux à deux',
      auteurs: [{ nom: 'Nicci Gerrard' }, { nom: 'Sean French' }],
      isbn: '9782070612758',
      format: 'Physique',
      coverUrl,
      ajoutePar: 'ana',
    });
    expect(headers.get('location')).toBe('/api/livres/1');
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toEqual(body);
    expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
  });

  test('leaves its fallback cover out of the book', async () => {
    const house = await openHouse();
    const { id, coverUrl: fallback } = await souhaiter(house, 'ana', { isbn: '9782070408504' });
    expect(fallback).not.toBeNull();
    expect(await acheter(house, 'ana', id, {})).toMatchObject({ body: { coverUrl: null } });
  });

  test('prefers entered data to the wish’s', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette', isbn: '9782070612758' });
    const saisie = {
      titre: 'Sido suivi de Les Vrilles',
      auteurs: [],
      isbn: '9782070408504',
      format: 'Numerique',
      editeur: 'Ferenczi',
      nombrePages: 120,
    };
    expect((await acheter(house, 'ana', 1, saisie)).body).toMatchObject(saisie);
    await souhaiter(house, 'ana', { titre: 'Chéri', auteur: 'Colette', isbn: '9782070612758' });
    const blank = { titre: ' ', auteurs: null, isbn: '', format: null, coverUrl: null };
    expect(await acheter(house, 'ana', 2, blank)).toMatchObject({
      status: 201,
      body: {
        titre: 'Chéri',
        auteurs: [{ nom: 'Colette' }],
        isbn: '9782070612758',
        format: 'Physique',
      },
    });
  });
});

describe('a purchase that is refused', () => {
  test('for a duplicate changes nothing until it is confirmed', async () => {
    const house = await openHouse();
    await ajouterLivre(house, { titre: 'Sido', auteurs: ['Colette'] });
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette' });
    const revision = house.context.database.revision();
    expect(await acheter(house, 'ana', 1, {})).toMatchObject({
      status: 409,
      body: { code: 'DOUBLON', similaires: [{ id: 1, titre: 'Sido' }] },
    });
    expect(house.context.database.revision()).toBe(revision);
    expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
    expect((await acheter(house, 'ana', 1, { confirmerDoublon: true })).status).toBe(201);
    expect(await rangs(house, 'ana')).toEqual([]);
    await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette' });
    const again = await acheter(house, 'ana', 2, {}, '?confirmerDoublon=true');
    expect(again.status).toBe(201);
    expect(await livreCount(house)).toBe(3);
  });

  test('for invalid data changes neither', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido' });
    const revision = house.context.database.revision();
    for (const [body, code] of [
      [{ isbn: '9782070612759' }, 'ISBN_INVALIDE'],
      [{ nombrePages: 0 }, 'NOMBRE_PAGES_INVALIDE'],
      [{ format: 'Papier' }, 'REQUETE_INVALIDE'],
      [{ titre: 'a'.repeat(501) }, 'REQUETE_INVALIDE'],
    ] as const) {
      const answer = await acheter(house, 'ana', 1, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code } });
    }
    expect(await livreCount(house)).toBe(0);
    expect(house.context.database.revision()).toBe(revision);
  });

  test('of another reader, a deleted wish or an unknown caller', async () => {
    const house = await openHouse();
    await souhaiter(house, 'ana', { titre: 'Sido' });
    for (const id of [1, 99])
      expect(await acheter(house, 'bob', id, {})).toMatchObject({
        status: 404,
        body: { code: 'INTROUVABLE' },
      });
    expect(await acheter(house, null, 1, {})).toMatchObject({ status: 401 });
    expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
    expect(await livreCount(house)).toBe(0);
    await acheter(house, 'ana', 1, {});
    expect(await acheter(house, 'ana', 1, {})).toMatchObject({ status: 404 });
    expect(await livreCount(house)).toBe(1);
  });
});

describe('the missing volume of a bought wish', () => {
  const livresOf = async (house: House, id: number) =>
    (await lireSerie(house, id)).places.map(({ livreId }) => livreId);

  test('that the wish came from gets the renamed book', async () => {
    const house = await openHouse();
    await ajouterSerie(house, { places: [{ titre: 'Un' }, { titre: 'Deux' }] });
    const { body } = await house.ask('ana', 'POST', '/api/places/2/souhait');
    expect(body).not.toHaveProperty('placeId');
    expect((await acheter(house, 'ana', 1, { titre: 'Un tout autre titre' })).status).toBe(201);
    expect(await livresOf(house, 1)).toEqual([null, 1]);
  });

  test('keeps another book that has filled it meanwhile', async () => {
    const house = await openHouse();
    await ajouterSerie(house, { places: [{ titre: 'Un' }, { titre: 'Deux' }] });
    await house.ask('ana', 'POST', '/api/places/1/souhait');
    await house.ask('ana', 'POST', '/api/places/2/souhait');
    const other = await ajouterLivre(house, { titre: 'Autre' });
    await house.ask(null, 'PUT', '/api/places/1/livre', { livreId: other.id });
    await house.ask(null, 'PUT', '/api/series/1', {
      titre: 'S',
      places: [{ id: 1, titre: 'Un', livreId: 1 }],
    });
    expect((await acheter(house, 'ana', 1, {})).status).toBe(201);
    expect((await acheter(house, 'ana', 2, {})).status).toBe(201);
    expect(await livresOf(house, 1)).toEqual([other.id]);
  });

  test('that only this book fits is filled', async () => {
    const house = await openHouse();
    await ajouterSerie(house, {
      places: [
        { titre: 'Le Lotus bleu', auteur: 'Hergé' },
        { titre: 'Objectif Lune', isbn: '9782070408504' },
      ],
    });
    await souhaiter(house, 'ana', { titre: 'Le lotus bleu', auteur: 'Hergé' });
    await souhaiter(house, 'ana', { titre: 'Tintin 16', isbn: '9782070408504' });
    await souhaiter(house, 'ana', { titre: 'Le lotus bleu', auteur: 'Un autre' });
    for (const id of [1, 2, 3]) expect((await acheter(house, 'ana', id, {})).status).toBe(201);
    expect(await livresOf(house, 1)).toEqual([1, 2]);
  });

  test('stays missing where the book fits several', async () => {
    const house = await openHouse();
    await ajouterSerie(house, { titre: 'A', places: [{ titre: 'Un' }] });
    await ajouterSerie(house, { titre: 'B', places: [{ titre: 'Un' }] });
    await souhaiter(house, 'ana', { titre: 'Un' });
    expect((await acheter(house, 'ana', 1, {})).status).toBe(201);
    expect([await livresOf(house, 1), await livresOf(house, 2)]).toEqual([[null], [null]]);
  });

  test('stays missing when the book is refused as a duplicate', async () => {
    const house = await openHouse();
    await ajouterLivre(house, { titre: 'Un' });
    await ajouterSerie(house, { places: [{ titre: 'Un' }] });
    await house.ask('ana', 'POST', '/api/places/1/souhait');
    expect((await acheter(house, 'ana', 1, {})).status).toBe(409);
    expect(await livresOf(house, 1)).toEqual([null]);
    expect(await rangs(house, 'ana')).toEqual(['1 Un']);
  });
});

describe('a purchase that is taken back', () => {
  const WISH = { titre: 'Sido', auteur: 'Colette' };
  const LECTURE = { livreId: 1, debut: '2024-01-02', fin: '2024-02-03', note: 8 };

  /** Sends a write as a reader; returns the id of the modification. */
  async function act(house: House, who: string, method: string, path: string, body?: object) {
    const answer = await house.ask(who, method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.headers.get('X-Modification') ?? '';
  }

  const undo = (house: House, who: string, id: string) =>
    act(house, who, 'POST', `/api/modifications/${id}/annulation`);

  const statutAndLectures = async (house: House, who: string, id: number) => {
    const [livre, lectures] = [
      await house.ask(who, 'GET', `/api/livres/${String(id)}`),
      await house.ask(who, 'GET', `/api/lectures?livre=${String(id)}`),
    ];
    const { statut } = livre.body as { statut: number | null };
    return { statut, lectures: lectures.body };
  };

  /** A bought wish, and two readers' data about the book. */
  async function openHouseWithAchat() {
    const house = await openHouse();
    const { database } = house.context;
    const acts: { who: string; id: string; before: object }[] = [];
    const doIt = async (who: string, method: string, path: string, body?: object) => {
      const before = ranked(database);
      const id = await act(house, who, method, path, body);
      acts.push({ who, id, before });
      return id;
    };
    await doIt('ana', 'POST', '/api/souhaits', WISH);
    const bought = await doIt('ana', 'POST', '/api/souhaits/1/achat', {});
    await doIt('ana', 'PUT', '/api/livres/1/statut', { statut: 1 });
    await doIt('ana', 'POST', '/api/lectures', LECTURE);
    await doIt('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
    await doIt('bob', 'POST', '/api/lectures', { ...LECTURE, note: null, fin: '2025' });
    const undoIt = async (who: string, id: string) => {
      const before = ranked(database);
      const undoing = await undo(house, who, id);
      acts.push({ who, id: undoing, before });
      return undoing;
    };
    return { house, acts, bought, doIt, undoIt };
  }

  test('restores the readers’ data when it is redone', async () => {
    const { house, acts, bought, undoIt } = await openHouseWithAchat();
    const { database } = house.context;
    const there = ranked(database);
    const taken = await undoIt('ana', bought);
    expect(await livreCount(house)).toBe(0);
    expect(await rangs(house, 'ana')).toEqual(['1 Sido']);
    await undoIt('ana', taken);
    expect(ranked(database)).toEqual(there);
    for (const { who, id, before } of atLeastOne(acts.toReversed())) {
      await undo(house, who, id);
      expect(ranked(database)).toEqual(before);
    }
  });

  test('restores the readers’ data to the book that is bought again', async () => {
    const { house, acts, bought, doIt, undoIt } = await openHouseWithAchat();
    const { database } = house.context;
    const data = [
      await statutAndLectures(house, 'ana', 1),
      await statutAndLectures(house, 'bob', 1),
    ];
    const taken = await undoIt('ana', bought);
    const afterDeletion = ranked(database);
    const again = await doIt('ana', 'POST', '/api/souhaits/1/achat', {});
    const moved = JSON.parse(
      JSON.stringify(data).replaceAll('"livreId":1', '"livreId":2'),
    ) as unknown;
    expect([
      await statutAndLectures(house, 'ana', 2),
      await statutAndLectures(house, 'bob', 2),
    ]).toEqual(moved);
    await undoIt('ana', again);
    expect(ranked(database)).toEqual(afterDeletion);
    await undoIt('ana', taken);
    expect([
      await statutAndLectures(house, 'ana', 1),
      await statutAndLectures(house, 'bob', 1),
    ]).toEqual(data);
    for (const { who, id, before } of atLeastOne(acts.toReversed())) {
      await undo(house, who, id);
      expect(ranked(database)).toEqual(before);
    }
  });

  test('leaves the readers’ data with the old book if another one is bought', async () => {
    const { house, bought, doIt, undoIt } = await openHouseWithAchat();
    await undoIt('ana', bought);
    await doIt('ana', 'PUT', '/api/souhaits/1', { titre: 'Chéri', auteur: 'Colette' });
    await doIt('ana', 'POST', '/api/souhaits/1/achat', {});
    expect(await statutAndLectures(house, 'ana', 2)).toEqual({ statut: null, lectures: [] });
  });
});
