/** Whether a text that begins with the digits of a date is a date or date-time of the calendar, by `Date` itself. */
export function isDate(text: string): boolean {
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text))
  );
}
