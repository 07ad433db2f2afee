<?php

declare(strict_types=1);

final class Basket
{
    private const MOST_PER_TEA = 20;

    /** @param array<int, int> $pieces packets by the tea's id */
    private function __construct(public readonly array $pieces)
    {
    }

    /** @param array<int, int> $pieces */
    public static function of(array $pieces): self
    {
        return new self(array_filter($pieces, static fn (int $count): bool => $count > 0));
    }

    public function with(int $id, int $more): self
    {
        $pieces = $this->pieces;
        $pieces[$id] = max(0, min(self::MOST_PER_TEA, ($pieces[$id] ?? 0) + $more));
        return self::of($pieces);
    }

    public function count(): int
    {
        return array_sum($this->pieces);
    }

    public function cents(Catalogue $catalogue): int
    {
        $sum = 0;
        foreach ($this->pieces as $id => $count) {
            $sum += $count * ($catalogue->find($id)?->cents ?? 0);
        }
        return $sum;
    }
}
