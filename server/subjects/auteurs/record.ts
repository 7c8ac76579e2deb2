import type { RecordKind } from '#server/plumbing/records/kind';
import { renormaliserAuteurs } from './domain/startup-pass.ts';
import {
  auteurSource,
  deleteUnused,
  exportAuteurSource,
  exportRefusSource,
  readAuteur,
} from './store/auteurs.ts';

const SETTLED = 'Ces auteurs ont été réunis ou séparés autrement depuis.';

export const auteurKind: RecordKind<'auteurs'> = {
  source: auteurSource,
  read: readAuteur,
  naming: { column: 'nom', subject: 'L’auteur', ending: '' },
  tables: {
    Auteur: {
      vocabulary: {
        unique: 'cleRegroupement',
        deleteUnused,
      },
      reasons: {
        taken: () => 'Un autre auteur porte ce nom depuis.',
        added: () => 'L’auteur a d’autres livres depuis.',
        gone: 'L’auteur a été réuni à un autre ou supprimé',
      },
    },
    FusionRefusee: { reasons: { changed: () => SETTLED, taken: () => SETTLED } },
  },
  exports: {
    auteurs: { source: exportAuteurSource, label: 'les auteurs' },
    refus: {
      source: exportRefusSource,
      label: 'les fusions d’auteurs refusées : ce sont deux personnes',
      isWhole: true,
    },
  },
  renormaliser: renormaliserAuteurs,
};
