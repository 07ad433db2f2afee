<?php

declare(strict_types=1);

require __DIR__ . '/Tea.php';

final class Catalogue
{
    /** @param array<int, Tea> $teas by id */
    private function __construct(private readonly array $teas)
    {
    }

    public static function withSampleTeas(): self
    {
        $teas = [];
        foreach (json_decode((string) file_get_contents(__DIR__ . '/teas.json'), true) as $row) {
            $teas[$row['id']] = new Tea(...$row);
        }
        return new self($teas);
    }

    /** @return list<Tea> */
    public function all(): array
    {
        return array_values($this->teas);
    }

    public function find(int $id): ?Tea
    {
        return $this->teas[$id] ?? null;
    }
}
