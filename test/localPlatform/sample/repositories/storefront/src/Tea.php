<?php

declare(strict_types=1);

final class Tea
{
    public function __construct(
        public readonly int $id,
        public readonly string $title,
        public readonly int $grams,
        public readonly int $cents,
        public readonly string $note,
    ) {
    }
}
