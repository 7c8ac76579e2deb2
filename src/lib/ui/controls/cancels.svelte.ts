/**
 * Counts the « Annuler » of forms and questions that are on the screen. Beside one of them the bar that
 * takes back what was done names what it takes back (docs/rules.md § 46).
 */
class Cancels {
  count = $state(0);

  /** Counts one « Annuler » more; the returned function takes it off. */
  show(): () => void {
    this.count++;
    return () => this.count--;
  }
}

export const cancels = new Cancels();
