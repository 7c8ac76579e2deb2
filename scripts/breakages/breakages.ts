export interface Breakage {
  readonly what: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The test that has to find the breakage; by default the simulation. */
  readonly by?: NamedTest;
}

export interface NamedTest {
  readonly test: string;
  readonly title: string;
}

export const BREAKAGES: readonly Breakage[] = [
  {
    what: 'a page is kept without its state',
    path: 'src/lib/sync/pull.ts',
    before:
      'const documents = [...mergeIntoPacks(existing, changements), stateDocument(this.#state)];',
    after:
      'const documents = [stateDocument(this.#state), ...mergeIntoPacks(existing, changements).slice(1)];',
  },
  {
    what: 'an older change replaces a later one',
    path: 'src/lib/sync/written-packs.ts',
    before: '(lines.get(change.id)?.[1] ?? -1) < change.revision',
    after: '(lines.get(change.id)?.[1] ?? -1) !== change.revision',
    by: {
      test: 'test/copy/packs.unit.test.ts',
      title: 'a page that comes twice, or late, changes nothing',
    },
  },
  {
    what: 'a deletion does not come to the screen',
    path: 'src/lib/sync/written-packs.ts',
    before: 'some.filter((change) => (lines',
    after: 'some.filter((change) => change.document !== null && (lines',
  },
  {
    what: 'a checkpoint of another database is taken',
    path: 'server/plumbing/sync/replication.ts',
    before: 'if (!database.history.holds(origin, furthest))',
    after: 'if (furthest > now)',
  },
  {
    what: 'a new reader keeps the cursor of the one before',
    path: 'server/plumbing/sync/replication.ts',
    before: 'reader === nameOf(database, utilisateur)',
    after: 'reader !== undefined',
  },
  {
    what: 'personal records are not in a page',
    path: 'server/plumbing/sync/replication.ts',
    before: "OR utilisateur = @owner AND utilisateur <> '')",
    after: "OR utilisateur = @owner AND utilisateur = '')",
  },
  {
    what: 'the last page but one says that it is the last',
    path: 'server/plumbing/sync/replication.ts',
    before: 'more: rows.length > changes.length }',
    after: 'more: rows.length > changes.length + 1 }',
    by: {
      test: 'test/sync/replication.test.ts',
      title: 'the size of pages does not change the result',
    },
  },
  {
    what: 'If-Match is not looked at',
    path: 'server/plumbing/writes/etags.ts',
    before: "if (record === undefined || endpoint?.method === 'POST'",
    after: "if (record !== undefined || endpoint?.method === 'POST'",
    by: {
      test: 'test/http/if-match.test.ts',
      title: 'a record is rewritten only under its present tag',
    },
  },
  {
    what: 'a restored backup keeps its epoch',
    path: 'server/plumbing/database/backup/restore.ts',
    before: 'if (has !== undefined) drawEpoque(db);',
    after: 'if (has === undefined) drawEpoque(db);',
    by: {
      test: 'test/backup/backup.test.ts',
      title: 'a restored backup has its books and a new epoch',
    },
  },
  {
    what: 'an act can be undone twice',
    path: 'server/subjects/modifications/undo.ts',
    before: 'if (undone.annuleeParId !== null) throw',
    after: 'if (undone.id < 0) throw',
    by: {
      test: 'test/modifications/modifications.test.ts',
      title: 'a day later another person can undo it',
    },
  },
];
