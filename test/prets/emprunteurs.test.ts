import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import {
  emprunteursOf,
  openPretsByEmprunteur,
  pretsToClaim,
  proposeEmprunteurs,
} from '#shared/emprunteurs';
import type { Pret } from '#shared/prets';
import { spelledAsKnown } from '#server/subjects/prets';
import { openHouse } from '../support/house.ts';

let id = 0;
const pret = (emprunteur: string, datePret: string, dateRetour: string | null = null): Pret => ({
  id: ++id,
  livreId: id,
  emprunteur,
  datePret: `${datePret}T12:00:00.000Z`,
  dateRetour: dateRetour && `${dateRetour}T12:00:00.000Z`,
  dateRetourPrevue: null,
});

const PRETS = [
  pret('Sophie', '2026-01-10', '2026-02-01'),
  pret('Luc Sorel', '2026-03-01'),
  pret('sophie', '2026-06-01'),
  pret('Anne-Sophie', '2026-05-01', '2026-05-02'),
  pret('SOPHIE ', '2026-08-20'),
  pret('Élise', '2025-01-01', '2025-02-01'),
];

describe('borrowers', () => {
  it('are one person under any spelling, in the first one', () => {
    expect(emprunteursOf(PRETS).map(({ nom, prets }) => `${nom} ${prets.length}`)).toEqual([
      'Sophie 3',
      'Anne-Sophie 1',
      'Luc Sorel 1',
      'Élise 1',
    ]);
  });

  it('have the spelling of the first loan, in any order of loans', () => {
    const [last, first] = [pret('SOPHIE', '2026-01-01'), pret('Sophie', '2026-01-01')];
    const turned = [
      { ...last, id: 2 },
      { ...first, id: 1 },
    ];
    const [sophie] = emprunteursOf(turned);
    expect([sophie?.nom, sophie?.prets.map(({ id }) => id)]).toEqual(['Sophie', [1, 2]]);
  });

  it('with open loans come by the oldest of these', () => {
    const prets = [
      pret('Luc', '2026-05-01'),
      pret('Zoé', '2026-01-01'),
      pret('Ana', '2026-03-01'),
      pret('Ana', '2026-02-01'),
      pret('Zoé', '2026-06-01'),
    ];
    const open = openPretsByEmprunteur(prets);
    expect(open.map(({ nom }) => nom)).toEqual(['Zoé', 'Ana', 'Luc']);
    expect(open[1]?.prets.map(({ datePret }) => datePret.slice(5, 7))).toEqual(['02', '03']);
  });

  it('are ordered by their latest loan', () => {
    const prets = [pret('Zoé', '2026-09-01'), pret('Luc', '2026-05-01'), pret('Zoé', '2026-01-01')];
    expect(emprunteursOf(prets).map(({ nom }) => nom)).toEqual(['Zoé', 'Luc']);
    expect(emprunteursOf(prets.slice(1)).map(({ nom }) => nom)).toEqual(['Luc', 'Zoé']);
  });

  it.each([
    ['so', ['Sophie', 'Anne-Sophie', 'Luc Sorel']],
    ['phie', ['Sophie', 'Anne-Sophie']],
    ['ÉL', ['Élise', 'Luc Sorel']],
    ['', ['Sophie', 'Anne-Sophie', 'Luc Sorel', 'Élise']],
    ['x', []],
  ])('are proposed for « %s »', (typed, expected) => {
    expect(proposeEmprunteurs(emprunteursOf(PRETS), typed)).toEqual(expected);
  });

  it('are proposed few at a time', () => {
    expect(proposeEmprunteurs(emprunteursOf(PRETS), '', 2)).toEqual(['Sophie', 'Anne-Sophie']);
  });
});

describe('open loans', () => {
  const days = (list: ReturnType<typeof openPretsByEmprunteur>) =>
    list.map(({ nom, prets }) => [nom, ...prets.map(({ datePret }) => datePret.slice(0, 10))]);

  it('are grouped by person, the longest loan first', () => {
    expect(days(openPretsByEmprunteur(PRETS))).toEqual([
      ['Luc Sorel', '2026-03-01'],
      ['Sophie', '2026-06-01', '2026-08-20'],
    ]);
  });

  it('are oldest first within a person', () => {
    const prets = [pret('Zoé', '2026-09-01'), pret('Zoé', '2026-01-01')];
    expect(days(openPretsByEmprunteur(prets))).toEqual([['Zoé', '2026-01-01', '2026-09-01']]);
  });

  it('are claimed when they are older than three months', () => {
    const claimed = (day: string) => days(pretsToClaim(PRETS, new Date(`${day}T12:00:00.000Z`)));
    expect(claimed('2026-06-01')).toEqual([]);
    expect(claimed('2026-06-02')).toEqual([['Luc Sorel', '2026-03-01']]);
    expect(claimed('2026-09-02')).toEqual([
      ['Luc Sorel', '2026-03-01'],
      ['Sophie', '2026-06-01'],
    ]);
  });

  it('are claimed from the agreed day on, however old', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -400, max: 400 }),
        fc.integer({ min: 0, max: 800 }),
        (to, since) => {
          const now = new Date(2026, 5, 15, 12);
          const dayAt = (days: number) => new Date(2026, 5, 15 + days, 12).toLocaleDateString('sv');
          const one = { ...pret('Luc', dayAt(-since)), dateRetourPrevue: dayAt(to) };
          expect(pretsToClaim([one], now)).toHaveLength(to <= 0 ? 1 : 0);
        },
      ),
    );
  });

  it('are claimed by the last day of a shorter month', () => {
    const one = [pret('Luc', '2026-02-28')];
    expect(pretsToClaim(one, new Date('2026-05-31T11:00:00.000Z'))).toEqual([]);
    expect(pretsToClaim(one, new Date('2026-05-31T13:00:00.000Z'))).toHaveLength(1);
  });
});

test('a borrower’s first spelling is found by an index', async () => {
  const { database } = (await openHouse()).context;
  const value = vi.spyOn(database, 'value');
  expect(spelledAsKnown(database, 'Zoé')).toBe('Zoé');
  const [[asked] = ['']] = value.mock.calls;
  const plan = database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked}`, 'zoe', 0);
  expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX Pret_emprunteur');
});
