import '../../support/offline.mjs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '#server/config';
import type { Transaction } from '#server/plumbing/database/connection';
import { openContext } from '#server/start/context';
import { Service } from '#server/service';
import type { Lecture, LectureSaisie } from '#shared/lectures';
import type { Livre, LivreSaisi } from '#shared/livres';
import type { Numero } from '#shared/numeros';
import type { PartageSaisi } from '#shared/partages';
import type { Pret, PretEnCours } from '#shared/prets';
import type { Revue } from '#shared/revues';
import type { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import type { Statut } from '#shared/statuts';
import { sendBefore } from '../../couvertures/support/sent-before.ts';
import { writeEmptyDatabase } from '../../support/template.ts';
import { isPseudo } from './messages.ts';
import { PSEUDO_CLIENT } from './pseudo.ts';

/** A household for one test: a temporary database with a service in this process. */
export class Household {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  readonly #database = join(this.#folder, 'bibliotheque.sqlite');
  readonly #settings: Readonly<Record<string, string>>;
  #service: Service | null = null;
  #url = '';

  /** @param settings additional environment variables of the service */
  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#settings = settings;
    writeEmptyDatabase(this.#database);
  }

  get url(): string {
    return this.#url;
  }

  /** The path of the first member's invitation, as the service prints it. */
  get firstPath(): string {
    return /\/invitation#\S+/.exec(this.#service?.welcome ?? '')?.[0] ?? '';
  }

  async start(): Promise<void> {
    const port = this.#url === '' ? '0' : new URL(this.#url).port;
    const config = readConfig(this.#environment(port));
    const settings = isPseudo() ? { ...config, clientPath: PSEUDO_CLIENT } : config;
    this.#service = new Service(settings, (error) => {
      throw error;
    });
    await this.#service.listen();
    this.#url = this.#service.url;
  }

  readonly #environment = (port: string) => ({
    PORT: port,
    DATABASE_PATH: this.#database,
    LOG_LEVEL: 'silent',
    BACKUP_PATH: 'non',
    ...this.#settings,
  });

  /** Stops the service; `start` restarts it with the same address and database. */
  async stop(): Promise<void> {
    await this.#service?.close();
    this.#service = null;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  ajouter(livre: Partial<LivreSaisi> & { titre: string }): Promise<Livre> {
    const saisi: LivreSaisi = { format: 'Physique', ...livre };
    return this.#send('POST', '/api/livres?confirmerDoublon=true', saisi) as Promise<Livre>;
  }

  async titres(): Promise<string[]> {
    const livres = (await this.#send('GET', '/api/livres')) as Livre[];
    return livres.map(({ titre }) => titre);
  }

  preter(livre: Livre, emprunteur: string): Promise<Pret> {
    return this.#send('POST', `/api/livres/${livre.id}/prets`, { emprunteur }) as Promise<Pret>;
  }

  async corriger({ id, datePret }: Pret, emprunteur: string): Promise<void> {
    await this.#send('PUT', `/api/prets/${id}`, { emprunteur, datePret });
  }

  /** The titles of the lent books, the oldest loan first. */
  async lentTitres(): Promise<string[]> {
    const prets = (await this.#send('GET', '/api/prets/en-cours')) as PretEnCours[];
    return prets.map(({ livre }) => livre.titre);
  }

  async rendre(pret: Pret): Promise<void> {
    await this.#send('POST', `/api/prets/${pret.id}/retour`);
  }

  /** @param jour the device's day; the server's if omitted */
  async setStatut(livre: Livre, utilisateur: string, statut: Statut, jour?: string): Promise<void> {
    await this.#send('PUT', `/api/livres/${livre.id}/statut`, { statut, jour }, utilisateur);
  }

  /** Shares a reader's readings and wishes with the household. */
  async partager(utilisateur: string, partage: PartageSaisi): Promise<void> {
    await this.#send('PUT', '/api/moi/partage', partage, utilisateur);
  }

  noter(utilisateur: string, lecture: LectureSaisie): Promise<Lecture> {
    return this.#send('POST', '/api/lectures', lecture, utilisateur) as Promise<Lecture>;
  }

  /** Replaces a reader's reading. */
  async rewriteLecture(utilisateur: string, id: number, lecture: LectureSaisie): Promise<void> {
    await this.#send('PUT', `/api/lectures/${id}`, lecture, utilisateur);
  }

  lectures(utilisateur: string): Promise<Lecture[]> {
    return this.#send('GET', '/api/lectures', undefined, utilisateur) as Promise<Lecture[]>;
  }

  souhaiter(utilisateur: string, souhait: SouhaitSaisi): Promise<Souhait> {
    return this.#send('POST', '/api/souhaits', souhait, utilisateur) as Promise<Souhait>;
  }

  async souhaiterRevue(utilisateur: string, revue: RevueSouhaiteeSaisie): Promise<void> {
    await this.#send('POST', '/api/souhaits-revues', revue, utilisateur);
  }

  /** The titles of a reader's wishes, by rank. */
  async souhaits(utilisateur: string): Promise<string[]> {
    const souhaits = await this.#send('GET', '/api/souhaits', undefined, utilisateur);
    return (souhaits as Souhait[]).map(({ titre }) => titre);
  }

  /** Adds a periodical and its first issue. */
  async ajouterNumero(titre: string, numero: string): Promise<Numero> {
    const revue = (await this.#send('POST', '/api/revues', { titre })) as Revue;
    return this.#send('POST', `/api/revues/${revue.id}/numeros`, { numero }) as Promise<Numero>;
  }

  /** Stores an uploaded picture of an issue, which earlier versions allowed. */
  async illustrate({ id }: Numero, image: Buffer): Promise<void> {
    await this.stop();
    const context = openContext(readConfig(this.#environment('0')));
    await sendBefore(context, id, image);
    context.database.close();
    await this.start();
  }

  /** Writes rows directly, as earlier versions or other programs did. */
  async rewrite(work: (tx: Transaction) => void): Promise<void> {
    await this.stop();
    const { database } = openContext(readConfig(this.#environment('0')));
    database.write(work);
    database.close();
    await this.start();
  }

  /** Uploads a record's cover, as of `livres/12` or `souhaits/4`, and returns its key. */
  async photograph(record: string, image: Buffer, utilisateur?: string): Promise<string> {
    const response = await fetch(`${this.#url}/api/${record}/couverture`, {
      method: 'PUT',
      headers: utilisateur === undefined ? {} : { SSO_USER: utilisateur },
      body: new Uint8Array(image),
    });
    const { couverture } = (await response.json()) as Livre;
    if (couverture === null) throw new Error(`${record} has no cover`);
    return couverture.cle;
  }

  async #send(method: string, path: string, body?: unknown, user?: string): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(user === undefined ? {} : { SSO_USER: user }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}

/** A household that is closed after the test. */
export async function household(
  settings: Readonly<Record<string, string>> = {},
): Promise<Household> {
  const house = new Household(settings);
  onTestFinished(() => house.end());
  await house.start();
  return house;
}
