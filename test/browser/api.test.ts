import { commands } from 'vitest/browser';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ajouterLivre, lireLivre } from '#shared/livres';
import { preter } from '#shared/prets';
import { call, echanger } from '$lib/api/call';
import { refusDe } from '$lib/api/error';
import { lien } from '$lib/api/lien';
import { ajouter, demenager, emmenager, preterA } from './menage.ts';

beforeEach(() => emmenager());
afterAll(demenager);

const echec = (promesse: Promise<unknown>): Promise<unknown> =>
  promesse.then(
    () => undefined,
    (erreur: unknown) => erreur,
  );

const lireLePremier = () => call(lireLivre, { params: { id: 1 } });

test('a write tells the revision that shows it', async () => {
  const { corps, revision } = await echanger(ajouterLivre, {
    body: { titre: 'Orlando', format: 'Physique' },
  });
  expect(corps.titre).toBe('Orlando');
  expect(revision).toBeGreaterThan(0);
});

test('a refusal keeps its sentence and its details', async () => {
  const livre = await ajouter('Orlando');
  await preterA(livre, 'Anne');
  const refus = refusDe(
    await echec(call(preter, { params: { id: livre }, body: { emprunteur: 'Luc' } })),
  );
  expect(refus).toMatchObject({ code: 'DEJA_PRETE', emprunteur: 'Anne' });
  expect(refus?.message).toContain('Anne');

  const doublon = refusDe(
    await echec(call(ajouterLivre, { body: { titre: 'Orlando', format: 'Physique' } })),
  );
  expect(doublon).toMatchObject({ code: 'DOUBLON', similaires: [{ titre: 'Orlando' }] });
  expect(lien.etat).toBe('enLigne');
});

test.each([
  ['sansReseau', 'horsLigne'],
  ['sansServeur', 'horsLigne'],
  ['page', 'horsLigne'],
  ['sessionExpiree', 'sessionExpiree'],
] as const)('« %s » is « %s », in our own words', async (humeur, kind) => {
  await commands.humeur(humeur);
  const erreur = await echec(lireLePremier());
  expect(erreur).toMatchObject({ kind, refus: null });
  expect(String(erreur)).not.toMatch(/nginx|fetch|50\d|html/i);
  expect(lien.etat).toBe(kind);

  await commands.humeur('normale');
  expect(
    await echec(call(ajouterLivre, { body: { titre: 'X', format: 'Physique' } })),
  ).toMatchObject({ kind });
  expect(refusDe(await echec(lireLePremier()))).toMatchObject({ code: 'INTROUVABLE' });
});

test('a call given up throws the reason, and says nothing of the link', async () => {
  const arret = new AbortController();
  const demande = call(lireLivre, { params: { id: 1 }, signal: arret.signal });
  arret.abort(new Error('assez'));
  expect(await echec(demande)).toMatchObject({ message: 'assez' });
  expect(lien.etat).toBe('enLigne');
});
