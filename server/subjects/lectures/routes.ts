import type { FastifyInstance } from 'fastify';
import * as lectures from '#shared/lectures';
import { modifierStatut } from '#shared/statuts';
import type { Reader } from '#server/plumbing/database/reader';
import { mount } from '#server/plumbing/http/mount';
import {
  ajouterLecture,
  jourOf,
  lireLecture,
  listerLectures,
  modifierLecture,
  statuer,
  supprimerLecture,
} from './domain/lectures.ts';

export function lecturesRoutes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, lectures.listerLectures, ({ utilisateur, query }) =>
    listerLectures(database, utilisateur, query),
  );
  mount(app, lectures.lireLecture, ({ utilisateur, params }) =>
    lireLecture(database, utilisateur, params.id),
  );
  mount(app, lectures.ajouterLecture, ({ tx, utilisateur, body }) =>
    ajouterLecture(tx, utilisateur, body),
  );
  mount(app, lectures.modifierLecture, ({ tx, utilisateur, params, body }) =>
    modifierLecture(tx, { utilisateur, id: params.id }, body),
  );
  mount(app, lectures.supprimerLecture, ({ tx, utilisateur, params }) =>
    supprimerLecture(tx, utilisateur, params.id),
  );
  // A status notes a reading, so its operation is one of readings.
  mount(app, modifierStatut, ({ tx, utilisateur, params, body }) => {
    const livreId = params.id;
    statuer(tx, { utilisateur, livreId }, body.statut, jourOf(body.jour));
    return { livreId, statut: body.statut };
  });
}
