import type { FastifyInstance } from 'fastify';
import * as numeros from '#shared/numeros';
import type { Reader } from '#server/plumbing/database/reader';
import { mount } from '#server/plumbing/http/mount';
import type { LiveNumeroIndex } from '../domain/live-numero-index.ts';
import {
  ajouterNumero,
  ajouterRevueNumero,
  modifierNumero,
  supprimerNumero,
} from '../domain/numeros.ts';
import { readNumero } from '../store/numeros.ts';
import { readRevue } from '../store/revues.ts';
import { listThemes } from '../store/themes.ts';

export function numerosRoutes(
  app: FastifyInstance,
  { database, numeroIndex }: { readonly database: Reader; readonly numeroIndex: LiveNumeroIndex },
): void {
  mount(app, numeros.rechercherNumeros, ({ query }) =>
    numeroIndex.read((index) => index.search(query)),
  );
  mount(app, numeros.listerNumerosOfRevue, ({ params }) =>
    numeroIndex.read((index) => {
      app.assert(readRevue(database, params.id), 404);
      return index.numerosOf(params.id);
    }),
  );
  mount(app, numeros.ajouterNumero, ({ tx, params, body }) => ajouterNumero(tx, params.id, body));
  mount(app, numeros.ajouterRevueNumero, ({ tx, body }) =>
    ajouterRevueNumero(tx, body.revue, body.numero),
  );
  mount(app, numeros.lireNumero, ({ params }) => readNumero(database, params.id));
  mount(app, numeros.modifierNumero, ({ tx, params, body }) => modifierNumero(tx, params.id, body));
  mount(app, numeros.supprimerNumero, ({ tx, params }) => supprimerNumero(tx, params.id));
  mount(app, numeros.listerThemes, () => listThemes(database));
}
