import type { RecordKind } from '#server/plumbing/records/kind';
import { exportSerieSource, readSerie, serieSource } from './store/document.ts';
import { ancestors, isWithin } from './store/series.ts';

export const serieKind: RecordKind<'series'> = {
  source: serieSource,
  naming: { column: 'titre', subject: 'La série', ending: 'e' },
  tables: {
    // Places come before the series at the same position.
    Place: {
      partOf: ['serieId', 'Serie'],
      list: { champ: 'places', column: 'titre', name: 'titre' },
      order: { list: 'Serie', parent: 'serieId', columns: ['position'] },
      reasons: {
        added: (database, { serieId }) => {
          const serie = readSerie(database, Number(serieId));
          return serie === undefined
            ? 'Un volume a été ajouté à cette série depuis.'
            : `Le livre a été placé dans la série ${serie.titre} depuis.`;
        },
      },
    },
    Serie: {
      order: { list: 'Serie', parent: 'parentId', columns: ['position'] },
      findBreach: (database, { id, parentId }) =>
        typeof parentId === 'number' && isWithin(database, parentId, Number(id))
          ? {
              raison: 'La série a été rangée ailleurs depuis.',
              rows: ancestors(database, parentId).map((serie) => ['Serie', serie]),
            }
          : null,
      reasons: {
        added: () => 'Une série y a été rangée depuis.',
        gone: 'La série a été supprimée',
      },
    },
  },
  exports: {
    series: {
      source: exportSerieSource,
      label: 'les séries et les cycles, avec leurs places, occupées ou manquantes',
    },
  },
};
