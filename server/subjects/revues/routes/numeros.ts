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
  context: { readonly database: Reader; readonly numeroIndex: LiveNumeroIndex },
): void {
  const { database } = context;
  mount(app, numeros.rechercherNumeros, async ({ query }) => {
    const { numeroIndex } = context;
    await numeroIndex.ready;
    return numeroIndex.search(query);
  });
  mount(app, numeros.listerNumerosOfRevue, async ({ params }) => {
    const { numeroIndex } = context;
    await numeroIndex.ready;
    app.assert(readRevue(database, params.id), 404);
    return numeroIndex.numerosOf(params.id);
  });
  mount(app, numeros.ajouterNumero, ({ tx, params, body }) => ajouterNumero(tx, params.id, body));
  mount(app, numeros.ajouterRevueNumero, ({ tx, body }) =>
    ajouterRevueNumero(tx, body.revue, body.numero),
  );
  mount(app, numeros.lireNumero, ({ params }) => readNumero(database, params.id));
  mount(app, numeros.modifierNumero, ({ tx, params, body }) => modifierNumero(tx, params.id, body));
  mount(app, numeros.supprimerNumero, ({ tx, params }) => supprimerNumero(tx, params.id));
  mount(app, numeros.listerThemes, () => listThemes(database));
}
