import type { RecordKind } from '#server/plumbing/records/kind';
import { lectureSource } from './store/lectures.ts';
import { lectureRestoring } from './domain/restoring.ts';

export const lectureKind: RecordKind<'lectures'> = {
  source: lectureSource,
  owner: 'utilisateur',
  naming: { column: 'titre', subject: 'La lecture', ending: 'e' },
  tables: { Lecture: { reasons: { taken: () => 'La lecture est de nouveau notée.' } } },
  exports: {
    lectures: {
      ...{ source: lectureSource, label: 'mes lectures', restoring: lectureRestoring },
    },
  },
};
