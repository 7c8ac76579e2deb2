import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../src/lib/api/call.ts';
import { LivreEntry } from '$lib/records/livres/kind.svelte';
import { writeDetails } from '$lib/records/livres/details';
import { makeLivre } from '../support/livres.ts';
import { records } from '$lib/sync/records';
import { Conflict, watchWriter } from '$lib/ui/conflict/conflict.svelte';
import type { Change } from '#shared/replication';

const refused = (titre: string, revision: number) =>
  new ApiError(
    'refusal',
    'Modifié entre-temps',
    { code: 'MODIFIE_ENTRETEMPS', message: 'Modifié entre-temps', actuel: { titre } },
    revision,
  );

/** A form opened at revision 50 of a database, with typed text. */
function opened(typed: string) {
  records.setReplica({ epoch: 'before' });
  onTestFinished(() => records.clear());
  const texts = new Map([['titre', typed]]);
  const entry = {
    fields: [
      { key: 'titre', label: () => 'Titre', read: (livre: { titre: string }) => livre.titre },
    ],
    text: (key: string) => texts.get(key) ?? '',
    setText: (key: string, text: string) => void texts.set(key, text),
  };
  return new Conflict(entry, { titre: 'Orlando' }, 50, () => undefined);
}

test('a form open over a restored backup is saved', async () => {
  const conflict = opened('Orlando, roman');
  const sent: (number | null)[] = [];
  const send = (ifMatch: number | null) => {
    sent.push(ifMatch);
    if (ifMatch !== 7) throw refused('Orlando', 7);
    return Promise.resolve('saved');
  };
  await expect(conflict.send(send)).resolves.toBe('saved');
  expect(sent).toEqual([50, 7]);
});

test('a change by a restored backup is shown as a conflict', async () => {
  const conflict = opened('Orlando, roman');
  const send = () => Promise.reject(refused('Orlando ou non', 7));
  await expect(conflict.send(send)).rejects.toThrow(/entre-temps/);
  expect(conflict.differences).toMatchObject([{ theirs: 'Orlando ou non' }]);
  // The replica still belongs to the previous database.
  conflict.see({ titre: 'Orlando' }, 60);
  expect(conflict.differences).toMatchObject([{ theirs: 'Orlando ou non' }]);
  records.setReplica({ epoch: 'after' });
  conflict.see({ titre: 'Orlando, encore' }, 8);
  expect(conflict.differences).toMatchObject([{ theirs: 'Orlando, encore' }]);
});

test('a copy that lags behind a refusal is ignored', async () => {
  const conflict = opened('Orlando, roman');
  await expect(conflict.send(() => Promise.reject(refused('Flush', 70)))).rejects.toThrow();
  conflict.see({ titre: 'Orlando' }, 60);
  expect(conflict.differences).toMatchObject([{ theirs: 'Flush' }]);
});

test('a form finds its record’s last act among 200,000', () => {
  const act = (id: number, utilisateur: string | null): Change => ({
    collection: 'modifications',
    id,
    revision: id,
    document: {
      id,
      date: '2026-01-01T00:00:00.000Z',
      utilisateur,
      operation: 'modifierLivre',
      arguments: { fait: 'phrase', phrase: '' },
      annulable: true,
      annulee: false,
      annuleId: null,
      annuleeParId: null,
      importationId: null,
      fiches: [
        { collection: 'livres', id: 1, titre: '', ajoutee: false, supprimee: false, champs: [] },
      ],
    },
  });
  onTestFinished(() => records.clear());
  // More elements than a call accepts as arguments.
  records.show(Array.from({ length: 200_000 }, (_, index) => act(index + 1, 'ana')));
  const writer = watchWriter({ collection: 'livres', id: 1 });
  expect(writer()).toBeUndefined();
  records.show([act(200_001, 'bob'), act(200_002, null)]);
  expect(writer()).toEqual({ nom: 'bob' });
  expect(watchWriter({ collection: 'livres', id: 1 })()).toBeUndefined();
});

test('a detail is compared and settled by itself', () => {
  const detail = (nom: string, valeur: string) => ({ nom, valeur });
  const book = (...details: { nom: string; valeur: string }[]) =>
    makeLivre(1, 'Orlando', { details });
  records.setReplica({ epoch: 'before' });
  onTestFinished(() => records.clear());
  const before = book(detail('Prix', '12'), detail('État', 'bon'), detail('Note', 'a'));
  const entry = new LivreEntry(before);
  const conflict = new Conflict(entry, before, 50, () => undefined);
  entry.setText('details', writeDetails([detail('Prix', '13'), detail('Note', 'a')]));
  conflict.see(
    book(detail('Prix', '14'), detail('État', 'bon'), detail('note', 'b'), detail('Cote', 'B 2')),
    51,
  );
  expect(conflict.differences).toEqual([
    { key: 'details:prix', label: 'Prix', mine: '13', theirs: '14', isTouched: true },
    { key: 'details:note', label: 'Note', mine: 'a', theirs: 'b', isTouched: false },
    { key: 'details:cote', label: 'Cote', mine: '', theirs: 'B 2', isTouched: false },
  ]);
  conflict.take('details:note');
  conflict.take('details:cote');
  conflict.keep('details:prix');
  expect(conflict.hasNews).toBe(false);
  expect(entry.toSaisie().details).toEqual([
    detail('Prix', '13'),
    detail('note', 'b'),
    detail('Cote', 'B 2'),
  ]);
});
