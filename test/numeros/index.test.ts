import { describe, expect, it } from 'vitest';
import { NumeroIndex } from '#shared/numero-index';
import { makeNumero } from '../support/revues.ts';

/** Issue 1 of « Cahiers du rivage », 2 and 3 of « Zoom », 4 of a periodical that has not arrived yet. */
function household(): NumeroIndex {
  const index = new NumeroIndex();
  index.applyRevues([
    { id: 3, titre: 'ZOOM', issn: null, secondIssn: null },
    { id: 2, titre: 'Zoom', issn: null, secondIssn: null },
    { id: 1, titre: 'Cahiers du rivage', issn: null, secondIssn: null },
  ]);
  index.applyNumeros([
    makeNumero(1, 'HS 3', {
      date: '2024',
      une: 'La pêche',
      resume: 'Œuvres complètes',
      themes: ['Mer', 'Climat'],
      articles: ['Le phare, la nuit'],
    }),
    makeNumero(2, '12', { revueId: 2, date: '2025', themes: ['mer'] }),
    makeNumero(3, '13', { revueId: 2, date: '2026', une: 'Cahier de nuit', themes: ['!'] }),
    makeNumero(4, '7', { revueId: 9 }),
  ]);
  return index;
}

const ids = (numeros: readonly { readonly id: number }[]) => numeros.map(({ id }) => id);

describe('the issues in memory', () => {
  it.each([
    [{}, [3, 2, 1, 4]],
    [{ recherche: '???' }, [3, 2, 1, 4]],
    [{ recherche: 'rivage' }, [1]],
    [{ recherche: 'hs' }, [1]],
    [{ recherche: 'OEUVRES peche' }, [1]],
    [{ recherche: 'phare climat' }, [1]],
    [{ recherche: 'cahier nuit' }, [3, 1]],
    [{ recherche: 'cahier phare' }, [1]],
    [{ recherche: 'zoom mer' }, [2]],
    [{ recherche: 'merclimat' }, []],
    [{ recherche: '3la' }, []],
    [{ recherche: 'mutant' }, []],
    [{ theme: 'MER' }, [2, 1]],
    [{ theme: '!' }, [3]],
    [{ theme: 'm' }, []],
    [{ theme: 'mer', recherche: 'zoom' }, [2]],
  ])('that answer %j come newest first', (criteres, expected) => {
    expect(ids(household().search(criteres))).toEqual(expected);
  });

  it('are filtered by periodical, and periodicals listed by title', () => {
    const index = household();
    expect(ids(index.numerosOf(2))).toEqual([3, 2]);
    expect(index.revues.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect([index.revue(2)?.titre, index.revue(9)]).toEqual(['Zoom', undefined]);
    expect([index.numero(4)?.numero, index.numero(9)]).toEqual(['7', undefined]);
  });

  it('follow changes, searched before or not', () => {
    const index = household();
    expect(ids(index.search({ recherche: 'zoom' }))).toEqual([3, 2]);
    index.applyRevues([
      { id: 2, _deleted: true },
      { id: 9, titre: 'Zoom arrière', issn: null, secondIssn: null },
    ]);
    index.applyNumeros([{ id: 3, _deleted: true }, makeNumero(2, '12', { date: '2023' })]);
    expect(ids(index.search({ recherche: 'zoom' }))).toEqual([4]);
    expect(ids(index.search({}))).toEqual([1, 2, 4]);
    expect(index.numero(3)).toBeUndefined();
    expect(index.revue(2)).toBeUndefined();
  });
});
