import { splitCredits } from './credits';

const month = (credits: string, adjustments: string) => ({ credits, adjustments });

test('what was adjusted is no credit, and both are what came in', () => {
  const months = [month('5.00', '0.00'), month('0.00', '-1.50')];
  expect(splitCredits({ total_credits: '3.50' }, months)).toEqual({
    credited: '5.00',
    adjusted: '-1.50',
  });
  expect(splitCredits({ total_credits: '102.50' }, [month('5.00', '97.50')])).toEqual({
    credited: '5.00',
    adjusted: '97.50',
  });
});

test('nothing is told apart by months that are not all of them', () => {
  expect(splitCredits({ total_credits: '9.00' }, [month('5.00', '0.00')])).toBeUndefined();
  expect(splitCredits({ total_credits: '0.00' }, [])).toEqual({
    credited: '0.00',
    adjusted: '0.00',
  });
});
