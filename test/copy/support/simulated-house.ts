import { expect } from 'vitest';
import type { Row } from '#shared/change-reader';
import { collectionNames } from '#shared/collection-names';
import type { Importation } from '#shared/importations';
import { doAct, type Act } from '../../modifications/support/acts.ts';
import { householdRows } from '../../modifications/support/household.ts';
import type { Answer } from '../../support/house.ts';
import { Replica } from '../../sync/model/replica.ts';
import { normalStorage, type Tab } from './device.ts';
import { sentence, type Happening } from './happenings.ts';
import { MINUTE_MS } from './synced-device.ts';
import { STATUTS, watch } from './watch.ts';
import { byKey, type World } from './world.ts';

/** The book that nobody deletes, so that every screen has one to show. */
const FIRST = 1;

/** In milliseconds: longer than every retry's delay. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** The initial number of books: one page of them is stored as a pack. */
export const BOOKS = 25;

/** A device with two tabs, another with one, and a script, in a household where anything may happen. */
export class Household {
  readonly tabs: Tab[] = [];
  /** Faults seen on the screens. */
  readonly seen: string[] = [];
  readonly world: World;
  readonly #devices;
  readonly #hidden = new Set<number>();
  readonly #script = new Replica(null, true);
  /** The rows at the last backup. */
  #backedUp: object | null = null;
  #added = 0;
  readonly #lines: string[] = [];

  constructor(world: World) {
    this.world = world;
    this.#devices = [world.device(), world.device()] as const;
    for (const index of [0, 1, 2]) this.tabs[index] = this.#open(index);
  }

  /** The events so far, one per line. */
  get story(): string {
    return this.#lines.map((line, index) => `${String(index + 1)}. ${line}`).join('\n');
  }

  async meet(one: Happening): Promise<void> {
    const { world } = this;
    this.#lines.push(sentence(one));
    const tab = this.tabs[one.tab ?? 0];
    const livre = 2 + (one.nth ?? 0);
    const by = one.user ?? null;
    const statut = { statut: STATUTS.get(by) };
    if (one.what === 'act' && one.act !== undefined) await this.#act(one.act);
    else if (one.what === 'add') await this.#add(by);
    else if (one.what === 'delete') await this.#send(by, 'DELETE', `/api/livres/${String(livre)}`);
    else if (one.what === 'statut')
      await this.#send(by, 'PUT', `/api/livres/${String(livre)}/statut`, statut);
    else if (one.what === 'wait') await world.clock.advance(one.ms ?? 0);
    else if (one.what === 'epoch') await world.open(BOOKS, { another: true });
    else if (one.what === 'comeBack') await world.comeBack();
    else if (one.what === 'keep' || one.what === 'take') tab?.device.replicas?.answer(one.what);
    else if (one.what === 'collide') await this.#collide();
    else if (one.what === 'loseAnswer') await this.#loseAnswers();
    else if (one.what === 'undo') await this.#undo(BOOKS + 1 + (one.nth ?? 0), by);
    else if (one.what === 'import') await this.#import(1 + (one.nth ?? 0));
    else if (one.what === 'backUp') await this.#backUp();
    else if (one.what === 'restore') await this.#restore();
    else if (one.what === 'script') await this.#pullByScript(by, 1 + (one.nth ?? 0));
    else if (one.what === 'reach' && tab) await this.#reach(tab, by);
    else if (one.what === 'full') this.#devices[0].conditions.room = one.room ?? 0;
    else if (one.what === 'slowDisk') this.#devices[0].conditions.openMs = one.ms ?? 0;
    else if (one.what === 'slowLine' && tab) tab.server.conditions.pageMs = () => one.ms ?? 0;
    else if (one.what === 'evict') this.#devices[0].evict();
    else if (one.what === 'crash') await this.#crash();
    else if (one.what === 'reload') await this.#reload(one.tab ?? 0);
    else if (one.what === 'break') tab?.server.breakStreams();
    else if (one.what === 'resync') tab?.device.replicas?.rebuild();
    else if (one.what === 'note') tab?.device.noteFirst(tab.records.livres.map(({ id }) => id));
    else if (one.what === 'fail' && tab) tab.server.conditions.fails = one.kind ?? null;
    else if (one.what === 'signIn') this.#signIn(one.tab ?? 0, by);
    else if (one.what === 'hide' || one.what === 'show') this.#turn(one.tab ?? 0, one.what);
    else if (one.what === 'opensFail' || one.what === 'readsFail' || one.what === 'writesFail')
      this.#devices[0].conditions[one.what] = one.times ?? 0;
  }

  /**
   * Restores normal conditions, shows every page, answers every question by switching to the new household, and
   * waits.
   */
  async clear(): Promise<void> {
    for (const { conditions } of this.#devices) Object.assign(conditions, normalStorage());
    for (const [index, tab] of this.tabs.entries()) {
      Object.assign(tab.server.conditions, { fails: null, pageMs: () => 0 });
      if (this.#hidden.has(index)) this.#turn(index, 'show');
    }
    await this.#whenCurrent();
    await this.#refresh();
    // At most two questions per device: the replica without a reader, then that of the reader who signed in.
    for (let copies = 0; copies < 2; copies++) {
      // One tab per device answers; in a browser without shared storage each tab has its own question.
      for (const tab of this.tabs) {
        if (tab.status.connection === 'otherHousehold') tab.device.replicas?.answer('take');
        await this.#whenCurrent();
      }
      await this.#refresh();
    }
  }

  /** Makes all tabs pull; returns the number of changes sent. */
  async pullAgain(): Promise<number> {
    for (const { server } of this.tabs) server.sent = 0;
    await this.#refresh();
    await this.world.clock.advance(MAX_WAIT_MS);
    return this.tabs.reduce((sum, { server }) => sum + server.sent, 0);
  }

  async #refresh(): Promise<void> {
    for (const tab of this.tabs) tab.device.refresh();
    await this.#whenCurrent();
  }

  /** Waits a minute at a time until every tab is done, or asks its reader. */
  async #whenCurrent(): Promise<void> {
    for (let ms = 0; ms < MAX_WAIT_MS; ms += MINUTE_MS) {
      await this.world.clock.advance(MINUTE_MS);
      const isDone = (tab: Tab) => tab.isCurrent || tab.status.connection === 'otherHousehold';
      if (this.tabs.every(isDone)) return;
    }
  }

  #open(index: number): Tab {
    const device = this.#devices[index < 2 ? 0 : 1];
    const before = this.tabs[index]?.server.conditions.user;
    const user = before === undefined ? 'ana' : before;
    const tab = this.world.tab(device, user);
    watch(tab, this.seen);
    return tab.start();
  }

  async #reload(index: number): Promise<void> {
    await this.tabs[index]?.close();
    this.#hidden.delete(index);
    this.tabs[index] = this.#open(index);
  }

  /** Both tabs of the first device end before RxDB has written its checkpoint. */
  async #crash(): Promise<void> {
    await Promise.all([this.tabs[0]?.close(), this.tabs[1]?.close()]);
    this.#devices[0].forgetCheckpoints();
    for (const index of [0, 1]) {
      this.#hidden.delete(index);
      this.tabs[index] = this.#open(index);
    }
  }

  /** Writes in a tab, and waits up to ten seconds until the tab shows it. */
  async #reach(tab: Tab, by: string | null): Promise<void> {
    await this.#add(by);
    const shown = tab.device.waitForRevision(this.world.context.database.revision());
    await this.world.clock.advance(10_000);
    await shown;
  }

  /** Sends a request as a person, records its outcome in the story, and returns the response. */
  async #send(
    by: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const answer = await this.world.send(by, method, path, { body, headers });
    const { status } = answer;
    expect(status, JSON.stringify(answer.body)).toBeLessThan(500);
    const resume = answer.headers.get('X-Modification-Resume');
    const end = resume === null ? String(status) : `« ${decodeURIComponent(resume)} »`;
    if (method !== 'GET')
      this.#lines.push(
        `${this.#lines.pop() ?? ''}\n   ${by ?? 'someone'}: ${method} ${path} → ${end}`,
      );
    return answer;
  }

  /** Any write, except statuses, whose values name their reader, and except deleting the first book. */
  async #act(act: Act): Promise<void> {
    const isLeftOut = (method: string, path: string) =>
      path.endsWith('/statut') ||
      path.endsWith('/lot') ||
      (method === 'DELETE' && path === `/api/livres/${String(FIRST)}`);
    const ask = (by: string | null, method: string, path: string, body?: unknown) =>
      isLeftOut(method, path) ? NOTHING : this.#send(by, method, path, body);
    await doAct({ ask }, act);
  }

  async #add(by: string | null): Promise<void> {
    const titre = `Livre ${String(++this.#added)} de plus`;
    await this.#send(by, 'POST', '/api/livres', { titre, format: 'Physique' });
  }

  /** Two people edit the same version: one succeeds, the other gets the conflict, and nothing is lost. */
  async #collide(): Promise<void> {
    const path = `/api/livres/${String(FIRST)}`;
    const { headers, body } = await this.#send('ana', 'GET', path);
    const match = { 'if-match': headers.get('ETag') ?? '' };
    const editeur = `Éditeur ${String(++this.#added)}`;
    const change = async (user: string, editeur: string) =>
      (await this.#send(user, 'PUT', path, { ...(body as object), editeur }, match)).status;
    const answers = [await change('ana', editeur), await change('bob', 'Un autre')];
    expect(answers, 'of two changes').toEqual([200, 412]);
    const stored = (await this.#send('bob', 'GET', path)).body as { readonly editeur: string };
    expect(stored.editeur).toBe(editeur);
  }

  /** A request repeated under its key is executed once, and gets the same response. */
  async #loseAnswers(): Promise<void> {
    const key = `key-${String(++this.#added)}`;
    const twice = async (user: string, method: 'POST' | 'PUT', path: string, body: object) => {
      const headers = { [method === 'POST' ? 'idempotency-key' : 'x-write-key']: key };
      const send = () => this.#send(user, method, path, body, headers);
      const [first, second] = [await send(), await send()];
      const contentOf = ({ body, headers }: Answer) => [body, headers.get('X-Modification')];
      if (first.status < 300)
        expect(contentOf(second), `${path} sent again`).toEqual(contentOf(first));
    };
    const titre = `Livre ${key}`;
    await twice('ana', 'POST', '/api/livres', { titre, format: 'Physique' });
    const statut = { statut: STATUTS.get('bob') };
    await twice('bob', 'PUT', `/api/livres/${String(FIRST)}/statut`, statut);
  }

  /**
   * Undoes any modification after the initial ones. Undoing twice is refused; undoing the undo, and that again,
   * restores the same household.
   */
  async #undo(id: number, by: string | null): Promise<void> {
    const wasUndone = this.#isUndone(id);
    const undo = (act: unknown) =>
      this.#send(by, 'POST', `/api/modifications/${String(act)}/annulation`);
    const before = this.#rows();
    const undone = await undo(id);
    expect([201, 404, 409]).toContain(undone.status);
    if (undone.status !== 201) return;
    const after = this.#rows();
    expect([wasUndone, this.#isUndone(id)], 'undone, before and after').toEqual([false, true]);
    const redone = await undo(idOf(undone));
    expect(this.#rows(), 'what comes again').toEqual(before);
    await undo(idOf(redone));
    expect(this.#rows(), 'what goes again').toEqual(after);
  }

  #isUndone(id: number): boolean {
    const sql = 'SELECT 1 FROM Modification WHERE id = ? AND annuleeParId IS NOT NULL';
    return this.world.context.database.value(sql, id) !== undefined;
  }

  /** An import creates every row of its file; after undo and redo, the same ones. */
  async #import(count: number): Promise<void> {
    const titles = Array.from({ length: count }, () => `Importé ${String(++this.#added)}`);
    const before = this.#rows();
    const file = ['Title,Author', ...titles.map((title) => `${title},Autrice`)].join('\n');
    const csv = { 'content-type': 'text/csv' };
    const importation = await this.#send('bob', 'POST', '/api/importations?essai=false', file, csv);
    const { id, nouveaux } = importation.body as Importation;
    expect(nouveaux).toBe(count);
    const titres = this.#rows()['Livre']?.map(({ titre }) => titre);
    expect(titres, 'the books of an import').toEqual(expect.arrayContaining(titles));
    const path = `/api/importations/${String(id)}`;
    await this.#send('bob', 'DELETE', path);
    expect(this.#rows(), 'what an import leaves behind').toEqual(before);
    const again = await this.#send('bob', 'POST', `${path}/execution`, {});
    expect(again.body).toMatchObject({ nouveaux: count });
  }

  async #backUp(): Promise<void> {
    await this.world.backUp();
    this.#backedUp = this.#rows();
  }

  async #restore(): Promise<void> {
    const { epoque } = this.world.context.database.history;
    await this.world.restore();
    if (this.#backedUp === null) return;
    expect(this.#rows()).toEqual(this.#backedUp);
    expect(this.world.context.database.history.epoque, 'after a restore').not.toBe(epoque);
  }

  /** A script that only knows the protocol ends with the same records as the tables. */
  async #pullByScript(by: string | null, limit: number): Promise<void> {
    this.#script.signIn(by);
    await this.#script.catchUp(this.world.house, limit);
    expect(byKey(collectionNames, (name) => this.#script.documents(name))).toEqual(
      this.world.truth(by),
    );
  }

  #rows(): Record<string, Row[]> {
    return householdRows(this.world.context.database);
  }

  /** A session belongs to the browser: all tabs of a device share it. */
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
    this.tabs[index]?.device.setVisible(isHidden);
  }
}

/** The response to a request that is not sent. */
const NOTHING: Promise<Answer> = Promise.resolve({
  status: 404,
  headers: new Headers(),
  body: null,
});

const idOf = ({ headers }: Answer) => headers.get('X-Modification');
