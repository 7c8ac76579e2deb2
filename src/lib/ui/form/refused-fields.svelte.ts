import type { Refusal } from '$lib/api/call';
import type { FormEntry } from './form.svelte.ts';
import { errorsOf, type FieldWithRefusals } from './refused.ts';

/** For a form whose fields the browser validates: shows refusals at their fields until the next submit. */
export class RefusedFields implements FormEntry {
  readonly isForBrowser = true;
  #errors = $state.raw<Readonly<Record<string, string>>>({});
  readonly #fields: readonly FieldWithRefusals[];

  constructor(fields: readonly FieldWithRefusals[]) {
    this.#fields = fields;
  }

  error(key: string): string | null {
    return this.#errors[key] ?? null;
  }

  check(): boolean {
    this.#errors = {};
    return true;
  }

  showAtField(refusal: Refusal | null): boolean {
    this.#errors = errorsOf(refusal, this.#fields);
    return Object.keys(this.#errors).length > 0;
  }
}
