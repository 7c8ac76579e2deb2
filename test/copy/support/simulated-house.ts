import type { Happening } from './happenings.ts';
import { normalStorage, type Tab } from './device.ts';
import type { World } from './world.ts';

/** The book that nobody deletes. */
const FIRST = 1;

/** A device with two tabs and another with one, in a house where anything may happen. */
export class Household {
  readonly tabs: Tab[] = [];
  readonly world: World;
  readonly #devices;
  readonly #hidden = new Set<number>();
  readonly #versions = ['', '', ''];
  #added = 0;

  constructor(world: World) {
    this.world = world;
    this.#devices = [world.device(), world.device()] as const;
    for (const index of [0, 1, 2]) this.tabs[index] = this.#open(index);
  }

  async meet(one: Happening): Promise<void> {
    const { world } = this;
    const tab = this.tabs[one.tab ?? 0];
    // The first book stays, so that there is always something to show.
    const livre = 2 + (one.nth ?? 0);
    const by = one.user ?? 'alice';
    const statut = { statut: STATUTS.get(by) };
    if (one.what === 'add') await world.add(`Livre ${String(++this.#added)} de plus`);
    else if (one.what === 'delete') await this.#try('DELETE', `/api/livres/${String(livre)}`);
    else if (one.what === 'statut')
      await this.#try('PUT', `/api/livres/${String(livre)}/statut`, by, statut);
    else if (one.what === 'wait') await world.clock.advance(one.ms ?? 0);
    else if (one.what === 'epoch') await world.open(3, { another: true });
    else if (one.what === 'collide') await this.#collide(FIRST);
    else if (one.what === 'loseAnswer') await this.#loseAnswers(FIRST);
    else if (one.what === 'takeBack') await this.#takeBack(4 + (one.nth ?? 0), by);
    else if (one.what === 'import') await this.#import(1 + (one.nth ?? 0));
    else if (one.what === 'backUp') await world.backUp();
    else if (one.what === 'restore') await world.restore();
    else if (one.what === 'otherVersion') await this.#changeVersion(one.tab ?? 0);
    else if (one.what === 'full') this.#devices[0].conditions.room = one.room ?? 0;
    else if (one.what === 'slowDisk') this.#devices[0].conditions.openMs = one.ms ?? 0;
    else if (one.what === 'slowLine' && tab) tab.server.conditions.pageMs = () => one.ms ?? 0;
    else if (one.what === 'drop') await this.#dropOne();
    else if (one.what === 'reload') await this.#reload(one.tab ?? 0);
    else if (one.what === 'break') tab?.server.breakStreams();
    else if (one.what === 'resync') tab?.engine.dispatch({ type: 'resync' });
    else if (one.what === 'note')
      tab?.engine.keepFirstScreen(tab.records.livres.map(({ id }) => id));
    else if (one.what === 'fail' && tab) tab.server.conditions.fails = one.kind ?? null;
    else if (one.what === 'signIn') this.#signIn(one.tab ?? 0, one.user ?? null);
    else if (one.what === 'hide' || one.what === 'show') this.#turn(one.tab ?? 0, one.what);
    else if (one.what === 'opensFail' || one.what === 'readsFail' || one.what === 'writesFail')
      this.#devices[0].conditions[one.what] = one.times ?? 0;
  }

  /** The conditions are normal again, all pages are looked at, and there is time. */
  async clear(): Promise<void> {
    for (const { conditions } of this.#devices) Object.assign(conditions, normalStorage());
    for (const [index, tab] of this.tabs.entries()) {
      Object.assign(tab.server.conditions, { fails: null, pageMs: () => 0 });
      if (this.#hidden.has(index)) this.#turn(index, 'show');
    }
    await this.world.clock.advance(15 * 60_000);
    for (const tab of this.tabs) tab.engine.dispatch({ type: 'hint' });
    await this.world.clock.advance(15 * 60_000);
  }

  #open(index: number): Tab {
    const device = this.#devices[index < 2 ? 0 : 1];
    const before = this.tabs[index]?.server.conditions.user;
    const user = before === undefined ? 'alice' : before;
    const tab = this.world.tab(device, user, this.#versions[index]);
    watch(tab);
    return tab.start();
  }

  async #reload(index: number): Promise<void> {
    await this.tabs[index]?.close();
    this.#hidden.delete(index);
    this.tabs[index] = this.#open(index);
  }

  async #changeVersion(index: number): Promise<void> {
    this.#versions[index] = this.#versions[index] === '' ? 'another version' : '';
    await this.#reload(index);
  }

  /** Two change what both have read: one is answered, the other is told of it, and nothing is lost. */
  async #collide(id: number): Promise<void> {
    const path = `/api/livres/${String(id)}`;
    const { headers, body, statusCode } = await this.world.send('alice', 'GET', path);
    if (statusCode !== 200) return;
    const read = JSON.parse(body) as object;
    const change = (user: string, editeur: string) =>
      this.world.send(user, 'PUT', path, {
        body: { ...read, editeur },
        headers: { 'if-match': String(headers['etag']) },
      });
    const editeur = `Éditeur ${String(++this.#added)}`;
    const answers = [await change('alice', editeur), await change('bob', 'Un autre')];
    if (answers.map((answer) => answer.statusCode).join() !== '200,412')
      seen.push(`of two changes: ${answers.map((answer) => answer.statusCode).join()}`);
    const kept = (await this.world.ask('bob', 'GET', path)) as { readonly editeur: string };
    if (kept.editeur !== editeur) seen.push(`kept ${kept.editeur} in place of ${editeur}`);
  }

  /** What is sent again under its key is done once, and answered the same. */
  async #loseAnswers(id: number): Promise<void> {
    const key = `key ${String(++this.#added)}`;
    const twice = async (user: string, method: 'POST' | 'PUT', path: string, body: object) => {
      const headers = { [method === 'POST' ? 'idempotency-key' : 'x-write-key']: key };
      const send = () => this.world.send(user, method, path, { body, headers });
      const [first, second] = [await send(), await send()];
      if (first.statusCode >= 300) return;
      if (first.body !== second.body) seen.push(`${method} ${path} is not answered the same`);
      const [act, again] = [first, second].map((answer) => answer.headers['x-modification']);
      if (act !== again) seen.push(`${method} ${path} is two acts`);
    };
    const titre = `Livre ${key}`;
    await twice('alice', 'POST', '/api/livres', { titre, format: 'Physique' });
    await twice('bob', 'PUT', `/api/livres/${String(id)}/statut`, { statut: STATUTS.get('bob') });
  }

  /** Any act but those by which the house began, by whomever. */
  async #takeBack(id: number, by: string): Promise<void> {
    const path = `/api/modifications/${String(id)}/annulation`;
    const { statusCode, body } = await this.world.send(by, 'POST', path);
    if (![201, 404, 409].includes(statusCode))
      seen.push(`taking back: ${String(statusCode)} ${body}`);
  }

  async #import(count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => `Importé ${String(++this.#added)},Autrice`);
    const { statusCode, body } = await this.world.send(
      'bob',
      'POST',
      '/api/importations?essai=false',
      {
        body: ['Title,Author', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
      },
    );
    if (statusCode !== 201) seen.push(`an import: ${String(statusCode)} ${body}`);
  }

  /** A session is the browser's: all tabs of a device have it. */
  #signIn(index: number, user: string | null): void {
    const siblings = index < 2 ? [0, 1] : [2];
    for (const sibling of siblings) {
      const tab = this.tabs[sibling];
      if (tab) tab.server.conditions.user = user;
    }
  }

  #turn(index: number, what: 'hide' | 'show'): void {
    const isHidden = this.#hidden.has(index);
    if (isHidden === (what === 'hide')) return;
    if (isHidden) this.#hidden.delete(index);
    else this.#hidden.add(index);
    this.tabs[index]?.engine.dispatch({ type: isHidden ? 'visible' : 'hidden' });
  }

  async #dropOne(): Promise<void> {
    const [device] = this.#devices;
    const [name] = device.databases;
    if (name !== undefined) await device.drop(name);
  }

  async #try(method: 'DELETE' | 'PUT', url: string, by = 'alice', body?: object): Promise<void> {
    // There may be no such book.
    await this.world.ask(by, method, url, body).catch(() => undefined);
  }
}

/** The status that each reader gives, so that one can tell whose it is. */
const STATUTS = new Map<string | null, number>([
  ['alice', 1],
  ['bob', 2],
]);

/** Looks at every change of a screen: it never shows less than a book, nor another's status. */
function watch(tab: Tab): void {
  let shownTo: string | null | undefined;
  const look = () => {
    const { reader } = tab.engine.state;
    if (tab.records.livres.length > 0) shownTo = reader;
    else {
      if (shownTo === reader && reader !== undefined) seen.push(`emptied for ${String(reader)}`);
      // Whoever comes back after another reader finds the other's screen, empty or not.
      shownTo = undefined;
    }
    for (const statut of tab.records.statuts.values())
      if (statut !== STATUTS.get(reader ?? null)) seen.push(`another’s for ${String(reader)}`);
  };
  tab.records.subscribe('livres', look);
  tab.records.subscribe('statuts', look);
}

/** What should never be seen. */
export const seen: string[] = [];
