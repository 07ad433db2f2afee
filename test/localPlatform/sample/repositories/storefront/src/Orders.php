<?php

declare(strict_types=1);

final class Orders
{
    private readonly PDO $database;

    /** @param array{host: string, name: string, user: string, password: string} $settings */
    public function __construct(array $settings)
    {
        $source = "mysql:host={$settings['host']};dbname={$settings['name']};charset=utf8mb4";
        $this->database = new PDO($source, $settings['user'], $settings['password'], [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        ]);
    }

    public function place(string $email, Basket $basket): int
    {
        $this->database->beginTransaction();
        $this->database->prepare('INSERT INTO customer_order (email) VALUES (?)')->execute([$email]);
        $number = (int) $this->database->lastInsertId();
        $line = $this->database->prepare(
            'INSERT INTO order_line (order_id, product_id, pieces, cents) SELECT ?, id, ?, cents FROM product WHERE id = ?',
        );
        foreach ($basket->pieces as $id => $count) {
            $line->execute([$number, $count, $id]);
        }
        $this->database->commit();
        return $number;
    }
}
