import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as choisies from '#shared/couvertures-choisies';
import type { Database } from '#server/database/database';
import { ownerOf } from '#server/http/identity';
import { mount, mountPrepared } from '#server/http/mount';
import { lireLivre } from '#server/livres/domain/livres';
import { lireNumero } from '#server/revues/domain/numeros';
import { souhaitList } from '#server/souhaits/domain/souhaits';
import type { Covers } from '../domain/covers.ts';
import { choose, chooseOffered, preparePicture } from '../domain/choice.ts';

interface Household {
  readonly covers: Covers;
  readonly database: Database;
}

/** What people choose as covers; a picture is read and written before the transaction of its choice. */
export function couverturesChoisiesRoutes(app: FastifyInstance, context: Household): void {
  pictures(app, context);
  addresses(app, context);
  others(app, context);
}

function pictures(app: FastifyInstance, { covers, database }: Household): void {
  const prepare = (request: FastifyRequest) => preparePicture(covers, request.bodyBytes);

  mountPrepared(app, choisies.choisirCouvertureLivre, async (call) => {
    const read = () => lireLivre(database, call.params.id, call.utilisateur);
    const { id } = read();
    const picture = await prepare(call.request);
    return () => choose(database, covers, { table: 'Livre', id, picture }, read);
  });

  mountPrepared(app, choisies.choisirCouvertureNumero, async (call) => {
    const read = () => lireNumero(database, call.params.id);
    const { id } = read();
    const picture = await prepare(call.request);
    return () => choose(database, covers, { table: 'Numero', id, picture }, read);
  });

  mountPrepared(app, choisies.choisirCouvertureSouhait, async (call) => {
    const read = () => souhaitList.get(database, call.utilisateur, call.params.id);
    const { id } = read();
    const picture = await prepare(call.request);
    return () => choose(database, covers, { table: 'Souhait', id, picture }, read);
  });
}

function addresses(app: FastifyInstance, { covers, database }: Household): void {
  mount(app, choisies.remettreCouvertureLivre, ({ params: { id }, utilisateur }) => {
    const read = () => lireLivre(database, id, utilisateur);
    return choose(database, covers, { table: 'Livre', id, picture: null }, read);
  });

  mount(app, choisies.remettreCouvertureNumero, ({ params: { id } }) => {
    const read = () => lireNumero(database, id);
    return choose(database, covers, { table: 'Numero', id, picture: null }, read);
  });

  mount(app, choisies.remettreCouvertureSouhait, ({ params: { id }, utilisateur }) => {
    const read = () => souhaitList.get(database, utilisateur, id);
    return choose(database, covers, { table: 'Souhait', id, picture: null }, read);
  });
}

function others(app: FastifyInstance, { covers, database }: Household): void {
  const askerOf = (request: FastifyRequest) => ({
    owner: ownerOf(request),
    signal: request.signal,
  });

  mount(app, choisies.listerAutresCouverturesLivre, async ({ params, utilisateur, request }) => {
    const { titre, auteurs, isbn } = lireLivre(database, params.id, utilisateur);
    return covers.others.list({ titre, auteur: auteurs[0]?.nom ?? null, isbn }, askerOf(request));
  });

  mount(app, choisies.listerAutresCouverturesSouhait, async ({ params, utilisateur, request }) => {
    const { titre, auteur, isbn } = souhaitList.get(database, utilisateur, params.id);
    return covers.others.list({ titre, auteur, isbn }, askerOf(request));
  });

  mount(app, choisies.choisirAutreCouvertureLivre, (call) => {
    const { id } = call.params;
    const offer = { owner: ownerOf(call.request), cle: call.body.cle };
    const read = () => lireLivre(database, id, call.utilisateur);
    return chooseOffered(database, covers, { table: 'Livre', id, ...offer }, read);
  });

  mount(app, choisies.choisirAutreCouvertureSouhait, (call) => {
    const { id } = call.params;
    const offer = { owner: ownerOf(call.request), cle: call.body.cle };
    const read = () => souhaitList.get(database, call.utilisateur, id);
    return chooseOffered(database, covers, { table: 'Souhait', id, ...offer }, read);
  });
}
