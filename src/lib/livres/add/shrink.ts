const SHRINK = { duration: 240, easing: 'cubic-bezier(.2, .8, .2, 1)' } as const;

/** A card where it stood. */
export interface CardGround {
  readonly box: DOMRect;
  readonly colour: string;
}

export const groundOf = (card: HTMLElement): CardGround => ({
  box: card.getBoundingClientRect(),
  colour: getComputedStyle(card).backgroundColor,
});

/** Has the ground of a card shrink into the book's spine; nothing where motion is reduced. */
export function shrinkInto(spine: HTMLElement, { box, colour }: CardGround): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const ground = document.createElement('div');
  ground.className = 'shrinking';
  ground.ariaHidden = 'true';
  document.body.append(ground);
  const { backgroundColor } = getComputedStyle(spine);
  const animation = ground.animate(
    [
      { ...placed(box), backgroundColor: colour, borderRadius: '1rem' },
      { ...placed(spine.getBoundingClientRect()), backgroundColor, borderRadius: '1.5px' },
    ],
    SHRINK,
  );
  const remove = () => ground.remove();
  animation.onfinish = remove;
  animation.oncancel = remove;
}

const placed = ({ left, top, width, height }: DOMRect) => ({
  left: `${left}px`,
  top: `${top}px`,
  width: `${width}px`,
  height: `${height}px`,
});
