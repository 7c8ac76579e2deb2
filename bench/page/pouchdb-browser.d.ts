/** What `bench/page/peers.ts` uses of a package that only `npm run bench -- --peers` installs. */
declare module 'pouchdb-browser' {
  export default class PouchDB {
    constructor(name: string);
    readonly replicate: {
      from: (url: string, options: { readonly batch_size: number }) => Promise<unknown>;
    };
    info(): Promise<{ readonly doc_count: number }>;
    destroy(): Promise<void>;
  }
}
