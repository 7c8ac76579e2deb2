import type { RecordKind } from '#server/plumbing/records/kind';
import { numeroRestoring, revueRestoring } from './domain/restoring.ts';
import { numeroSource, renormaliserNumeros } from './store/numeros.ts';
import { renormaliserRevues, revueSource } from './store/revues.ts';
import { deleteUnusedThemes, renormaliserThemes } from './store/themes.ts';

export const revueKind: RecordKind<'revues'> = {
  source: revueSource,
  naming: { column: 'titre', subject: 'La revue', ending: 'e' },
  tables: {
    Revue: {
      reasons: {
        taken: () => 'Une autre revue porte cet ISSN depuis.',
        gone: 'La revue a été supprimée',
      },
    },
  },
  exports: { revues: { source: revueSource, label: 'les revues', restoring: revueRestoring } },
  renormaliser: renormaliserRevues,
};

const CHANGED = 'Le numéro a été modifié depuis.';

export const numeroKind: RecordKind<'numeros'> = {
  source: numeroSource,
  naming: { column: 'numero', subject: 'Le numéro', ending: '' },
  tables: {
    Numero: {
      reasons: {
        taken: () => 'La revue a ce numéro de nouveau.',
        added: () => 'Un numéro a été ajouté à cette revue depuis.',
        gone: 'Le numéro a été supprimé',
      },
    },
    NumeroTheme: {
      partOf: ['numeroId', 'Numero'],
      list: { champ: 'themes', column: 'themeId', table: 'Theme', name: 'nom' },
      reasons: { added: () => CHANGED },
    },
    Article: {
      partOf: ['numeroId', 'Numero'],
      list: { champ: 'articles', column: 'titre', name: 'titre' },
      reasons: { added: () => CHANGED },
    },
    Theme: {
      vocabulary: {
        unique: 'nomNormalise',
        deleteUnused: deleteUnusedThemes,
      },
      reasons: { gone: 'Ce thème a été supprimé' },
    },
  },
  exports: {
    numeros: {
      source: numeroSource,
      label: 'les numéros, avec leurs thèmes et leurs articles',
      restoring: numeroRestoring,
    },
  },
  renormaliser(database) {
    const areNumerosRenewed = renormaliserNumeros(database);
    return renormaliserThemes(database) && areNumerosRenewed;
  },
};
