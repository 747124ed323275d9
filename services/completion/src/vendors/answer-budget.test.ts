import type { VendorFailure } from '../domain/vendor';
import { createAnswerBudget } from './answer-budget';

const SETTING = 'TOLLGATE_COMPLETION_HELD_BYTES_MAX';

function startBudget() {
  const budget = createAnswerBudget(1_000, SETTING);
  const cut: string[] = [];
  const open = (name: string) =>
    budget.open(({ error, outcome }: VendorFailure) => {
      cut.push(`${name} ${outcome}${error.retryable ? ', and may be repeated' : ''}`);
    });
  return { budget, cut, open };
}

it('a budget that is used up cuts the answer that holds most, not the one that comes last', () => {
  const { budget, cut, open } = startBudget();
  open('large').hold(700);
  open('small').hold(250);
  open('last').hold(100);
  expect(cut).toEqual(['large aborted']);
  expect(budget.heldBytes).toBe(350);
});

it('an answer that holds most itself fails when it needs more than there is', () => {
  const { budget, cut, open } = startBudget();
  open('small').hold(400);
  expect(() => open('large').hold(700)).toThrow(SETTING);
  expect(cut).toEqual([]);
  expect(budget.heldBytes).toBe(400);
});

it('what was given back is held no more, however often it is given back', () => {
  const { budget, cut, open } = startBudget();
  const first = open('first');
  first.hold(900);
  first.release();
  first.release();
  open('second').hold(900);
  expect(budget.heldBytes).toBe(900);
  expect(cut).toEqual([]);
});

it('a complete answer is counted until it has left, and nothing cuts it', () => {
  const { budget, cut, open } = startBudget();
  const left = budget.countComplete(800);
  const reading = open('reading');
  reading.hold(150);
  open('more').hold(100);
  expect(cut).toEqual(['reading aborted']);
  expect(budget.heldBytes).toBe(900);
  left();
  left();
  expect(budget.heldBytes).toBe(100);
});

it('an answer that holds less than before is not cut for what others hold', () => {
  const { budget, cut, open } = startBudget();
  const reading = open('reading');
  reading.hold(500);
  budget.countComplete(900);
  reading.hold(100);
  expect([cut, budget.heldBytes]).toEqual([[], 1_000]);
});
