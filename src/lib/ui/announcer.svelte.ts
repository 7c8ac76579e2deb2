const VISIBLE_MS = 6_000;

/** Announces an action in the frame's status line for some seconds. */
class Announcer {
  text = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.text = ''), VISIBLE_MS);
  }
}

export const announcer = new Announcer();
