import type { FastifyInstance } from 'fastify';
import * as lectures from '#shared/lectures';
import { modifierStatut } from '#shared/statuts';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import {
  ajouterLecture,
  jourOf,
  lireLecture,
  listerLectures,
  modifierLecture,
  statuer,
  supprimerLecture,
} from './domain/lectures.ts';

export function lecturesRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  mount(app, lectures.listerLectures, ({ utilisateur, query }) =>
    listerLectures(database, utilisateur, query),
  );
  mount(app, lectures.lireLecture, ({ utilisateur, params }) =>
    lireLecture(database, utilisateur, params.id),
  );
  mount(app, lectures.ajouterLecture, ({ utilisateur, body }) =>
    ajouterLecture(database, utilisateur, body),
  );
  mount(app, lectures.modifierLecture, ({ utilisateur, params, body }) =>
    modifierLecture(database, { utilisateur, id: params.id }, body),
  );
  mount(app, lectures.supprimerLecture, ({ utilisateur, params }) =>
    supprimerLecture(database, utilisateur, params.id),
  );
  // A status notes a reading, so its operation is one of readings.
  mount(app, modifierStatut, ({ utilisateur, params, body }) => {
    const livreId = params.id;
    statuer(database, { utilisateur, livreId }, body.statut, jourOf(body.jour));
    return { livreId, statut: body.statut };
  });
}
