import type { Refusal } from '$lib/api/call';
import type { ComparableEntry, ComparableField } from '$lib/ui/conflict/conflict.svelte';
import { NumeroEntry, RevueEntry } from '$lib/records/revues/kinds';

/** The form of a periodical and its first issue. The issue counts once something is said of it. */
export class RevueNumeroEntry implements ComparableEntry<object> {
  readonly revue: RevueEntry;
  readonly numero = new NumeroEntry(null);
  readonly fields: readonly ComparableField<object>[];

  /** @param start what the periodical's fields begin with */
  constructor(start: { readonly titre: string; readonly issn: string }) {
    this.revue = new RevueEntry({ id: 0, ...start });
    this.fields = (['revue', 'numero'] as const).flatMap((part) =>
      this[part].fields.map(({ key, label }) => ({
        key: `${part}.${key}`,
        label,
        read: () => '',
      })),
    );
  }

  get hasNumero(): boolean {
    return this.numero.text('numero').trim() !== '' || !this.numero.isBlankButNumero;
  }

  text(key: string): string {
    const [part, partKey] = this.#locate(key);
    return part.text(partKey);
  }

  setText(key: string, text: string): void {
    const [part, partKey] = this.#locate(key);
    part.setText(partKey, text);
  }

  check(): boolean {
    const revueIsRight = this.revue.check();
    return (!this.hasNumero || this.numero.check()) && revueIsRight;
  }

  placeRefusal(refusal: Refusal | null): boolean {
    if (!this.hasNumero) return this.revue.placeRefusal(refusal);
    const isOnRevue = this.revue.placeRefusal(refusal, 'revue.');
    return this.numero.placeRefusal(refusal, 'numero.') || isOnRevue;
  }

  #locate(key: string): [RevueEntry | NumeroEntry, string] {
    const [part, partKey = ''] = key.split('.');
    return [part === 'revue' ? this.revue : this.numero, partKey];
  }
}
