import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/context';
import { EVENEMENTS } from '#shared/replication';
import type { Humeur } from './humeur.ts';

interface Maison {
  readonly port: number;
  fermer(): Promise<void>;
}

/**
 * A real service with a fresh database, and in front of it what stands there in a household: a
 * proxy that says who is signed in, and that can fail in all the ways in which proxies do.
 */
export class Facade {
  humeur: Humeur = 'normale';
  utilisateur: string | null = null;
  /** How many more pages of a replica pass before they are cut off in the middle; `null`: all. */
  tiragesAvantCoupure: number | null = null;
  /** The event streams that are open. */
  readonly flux = new Set<ServerResponse>();
  #maison: Maison | null = null;

  /** Closes the house there is, with its database, and opens another. */
  async ouvrir(): Promise<void> {
    await this.fermer();
    this.humeur = 'normale';
    this.utilisateur = null;
    this.tiragesAvantCoupure = null;
    this.#maison = await ouvrirMaison();
  }

  async fermer(): Promise<void> {
    await this.#maison?.fermer();
    this.#maison = null;
  }

  /** Passes a request on to the house, as whoever is signed in. */
  passer(demande: IncomingMessage, reponse: ServerResponse): void {
    if (this.humeur !== 'normale' || !this.#maison) {
      this.#refuser(reponse);
      return;
    }
    const coupe = this.#couper(demande.url ?? '');
    if (demande.url === EVENEMENTS) this.#suivre(reponse);
    const { SSO_USER: _, ...entetes } = demande.headers;
    const vers = request(
      {
        port: this.#maison.port,
        host: '127.0.0.1',
        method: demande.method,
        path: demande.url,
        headers: { ...entetes, ...entetesDe(this.utilisateur) },
      },
      (source) => {
        reponse.writeHead(source.statusCode ?? 502, source.headers);
        if (coupe) source.once('data', () => reponse.destroy());
        else source.pipe(reponse);
      },
    );
    vers.on('error', () => reponse.destroy());
    reponse.on('close', () => vers.destroy());
    demande.pipe(vers);
  }

  #suivre(reponse: ServerResponse): void {
    this.flux.add(reponse);
    reponse.on('close', () => this.flux.delete(reponse));
  }

  #couper(chemin: string): boolean {
    if (this.tiragesAvantCoupure === null || !chemin.startsWith('/api/replication/')) return false;
    return --this.tiragesAvantCoupure < 0;
  }

  #refuser(reponse: ServerResponse): void {
    if (this.humeur === 'sansReseau') reponse.destroy();
    else if (this.humeur === 'sessionExpiree')
      reponse.writeHead(302, { location: 'https://sso.invalid/' }).end();
    else
      reponse
        .writeHead(this.humeur === 'page' ? 200 : 502, { 'content-type': 'text/html' })
        .end('<!doctype html><title>nginx</title>');
  }
}

/** A header carries UTF-8 as bytes, which Node takes and gives as latin1. */
const entetesDe = (utilisateur: string | null): Record<string, string> =>
  utilisateur === null ? {} : { SSO_USER: Buffer.from(utilisateur).toString('latin1') };

async function ouvrirMaison(): Promise<Maison> {
  const dossier = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  const context = openContext(
    readConfig({ DATABASE_PATH: join(dossier, 'bibliotheque.sqlite'), LOG_LEVEL: 'silent' }),
  );
  const app = await createApp(context);
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A test that fails to close its house does not keep the run from ending.
  app.server.unref();
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    async fermer() {
      await app.close();
      context.base.close();
      rmSync(dossier, { recursive: true, force: true });
    },
  };
}
