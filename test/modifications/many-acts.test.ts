import { expect, test } from 'vitest';
import { EmplacementTree } from '#shared/emplacement-tree';
import type { ModificationDocument } from '#shared/modifications';
import { lastTome } from '#shared/series-gaps';
import { lastActOn, newestId } from '../../src/lib/ui/conflict/last-act.ts';

/** More than a call takes arguments. */
const MANY = 200_000;

const fiche = { collection: 'livres', id: 1, titre: '', ajoutee: false, supprimee: false };

test('a form finds its record’s last act among 200,000', () => {
  const acts = new Map(
    Array.from({ length: MANY }, (_, index): [number, ModificationDocument] => [
      index + 1,
      {
        id: index + 1,
        date: '2026-01-01T00:00:00.000Z',
        utilisateur: 'ana',
        operation: 'modifierLivre',
        resume: '',
        annulable: true,
        annulee: false,
        annuleId: null,
        annuleeParId: null,
        importationId: null,
        fiches: [{ ...fiche, champs: [] }],
      },
    ]),
  );
  expect(newestId(acts)).toBe(MANY);
  expect(lastActOn(acts, { collection: 'livres', id: 1 }, 5)?.id).toBe(MANY);
  expect(lastActOn(acts, { collection: 'livres', id: 1 }, MANY)).toBeUndefined();
  expect(newestId(new Map())).toBe(0);
});

test('two thousand places of many volumes have a last one', () => {
  const place = { titre: '', numero: '1-400', livreId: null, auteur: null, isbn: null };
  const places = Array.from({ length: 2000 }, (_, id) => ({ ...place, id }));
  expect(lastTome({ places })).toBe(400);
});

test('a room of 200,000 shelves has two levels', () => {
  const shelf = (id: number) => ({
    id,
    nom: String(id),
    parentId: 1,
    note: null,
    rang: id,
    fermeLe: null,
  });
  const tree = new EmplacementTree([
    { ...shelf(1), parentId: null },
    ...Array.from({ length: MANY }, (_, index) => shelf(index + 2)),
  ]);
  expect(tree.heightOf(1)).toBe(2);
});
